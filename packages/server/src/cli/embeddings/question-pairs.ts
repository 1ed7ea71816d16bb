/**
 * Questions and the memories that answer them, as agents store them. Several are about the same subject (food, trips, code), so a model must
 * tell apart more than subjects. Few words are shared.
 */
export const questionPairs: readonly (readonly [question: string, answer: string])[] = [
  ['What food should I avoid when cooking for Maria?', 'Maria is allergic to peanuts and shellfish.'],
  ['Which dish does Tom like best?', "Tom's favorite meal is mushroom risotto."],
  ['Where do we buy our vegetables?', 'On Saturdays the family gets produce at the farmers market by the river.'],
  ['When does the flight to Lisbon leave?', 'Departure to Portugal is on 14 May at 6:40 in the morning.'],
  [
    'How do we get to the cabin in winter?',
    'The road to the hut closes with snow; take the train and then the ski lift.',
  ],
  ['Who looks after the dog during our trip?', 'Neighbor Paul feeds Rex while everyone is on vacation.'],
  ['Why was the release postponed?', 'Version 3 slipped by two weeks because the payment tests kept failing.'],
  ['Which database does the project use?', 'The backend stores everything in PostgreSQL 17.'],
  [
    'How should commit messages be written?',
    'Write them in the imperative, with a short summary and the reason below.',
  ],
  ['What broke the build yesterday?', 'The compiler upgrade made the type checker reject two files.'],
  ['Who can approve expenses?', 'Ines from accounting signs off invoices and travel costs.'],
  ['How often does the team meet?', 'There is a standup every morning and a planning session each second Monday.'],
  ['What is the password rule for new accounts?', 'Users must choose at least twelve characters when they register.'],
  ['Does Anna prefer calls or email?', 'Anna wants to be contacted in writing and dislikes the phone.'],
  ['What sport does Ben do?', 'Ben trains for a marathon and runs four times a week.'],
  ['Which instrument is my daughter learning?', 'Lea started cello lessons in September.'],
  ['When is the car due for inspection?', 'The vehicle has to pass its technical check in March.'],
  ['What medicine does grandpa take?', 'Grandfather gets a blood pressure tablet after breakfast.'],
  ['How do I turn off the heating?', 'The boiler has a red switch behind the cellar door.'],
  ['What should I read about gardening?', 'A friend recommended a book on growing roses and herbs.'],
]
