import { pattern, pointer, upperFirst, type SentenceRule } from './sentence-rule.ts'

/** English rules that find preferences, facts about the user, decisions and root causes. */

const adverb = String.raw`(?:(really|generally|usually|always|much|strongly|personally|definitely|still|mostly|only) )?`

/** Verbs that people use about themselves. Verbs whose base form is also a past tense are left out. */
export const thirdPerson: Readonly<Record<string, string>> = {
  prefer: 'prefers',
  like: 'likes',
  love: 'loves',
  enjoy: 'enjoys',
  dislike: 'dislikes',
  hate: 'hates',
  favor: 'favors',
  favour: 'favours',
  work: 'works',
  live: 'lives',
  use: 'uses',
  drink: 'drinks',
  eat: 'eats',
  speak: 'speaks',
  want: 'wants',
  need: 'needs',
  expect: 'expects',
  have: 'has',
  own: 'owns',
  keep: 'keeps',
  know: 'knows',
  study: 'studies',
  teach: 'teaches',
  play: 'plays',
  drive: 'drives',
  travel: 'travels',
  wear: 'wears',
  do: 'does',
  "don't": 'does not',
}

const withAdverb = (word: string | undefined) => (word === undefined ? '' : `${word} `)

// "I like the idea" and "I love seeing this" are reactions to the moment, not preferences.
const reaction = String.raw`(?:that|(?:all )?the|his|their|its|seeing|having|being|getting|to (?:say|admit|bother|think|hear|see))\b`

export const preferences: SentenceRule[] = [
  {
    memoryType: 'preference',
    importance: 3,
    pattern: pattern(
      `^I ${adverb}(prefer|dislike|favou?r|(?:like|love|enjoy|hate)(?! ${reaction})) (?!${pointer}|to[.!]?$)(.{3,})$`,
    ),
    rewrite: ([, how, verb = '', what]) => `The user ${withAdverb(how)}${thirdPerson[verb.toLowerCase()]} ${what}`,
  },
  {
    memoryType: 'preference',
    importance: 3,
    pattern: pattern(`^I (?:don't|do not) ${adverb}(like|enjoy|eat|drink|use) (?!${pointer})(.+)$`),
    rewrite: ([, how, verb = '', what]) => `The user does not ${withAdverb(how)}${verb.toLowerCase()} ${what}`,
  },
  {
    memoryType: 'preference',
    importance: 3,
    pattern: pattern(String.raw`^I(?:'d| would) (?:much )?rather (?!not\b|${pointer})(.{8,})$`),
    rewrite: ([, what]) => `The user would rather ${what}`,
  },
  {
    memoryType: 'preference',
    importance: 3,
    pattern: pattern(String.raw`^My (favou?rite|preferred) (.{2,60}?) (is|are) (?!${pointer})(.+)$`),
    rewrite: ([, kind, thing, verb, what]) => `The user's ${kind} ${thing} ${verb} ${what}`,
  },
]

const role = String.raw`(?:engineer|developer|designer|student|teacher|doctor|physician|manager|researcher|scientist|writer|journalist|consultant|founder|nurse|lawyer|analyst|architect|administrator|accountant|translator|vegetarian|vegan|pescatarian)`

export const identity: SentenceRule[] = [
  {
    memoryType: 'fact',
    importance: 4,
    pattern: pattern(
      String.raw`^My (name|time ?zone|birthday|e-?mail(?: address)?|employer|team|company|manager|native language|home town|hometown|job title|pronouns|operating system|editor|shell) (is|are) (?!${pointer}|not\b)(.{2,80})$`,
    ),
    rewrite: ([, thing, verb, what]) => `The user's ${thing} ${verb} ${what}`,
  },
  {
    memoryType: 'fact',
    importance: 4,
    pattern: pattern(String.raw`^I (work|live) (at|for|as|in|with) (?!${pointer}|progress|general)(.{2,80})$`),
    rewrite: ([, verb = '', where, what]) => `The user ${thirdPerson[verb.toLowerCase()]} ${where} ${what}`,
  },
  {
    memoryType: 'fact',
    importance: 4,
    pattern: pattern(
      String.raw`^I(?:'m| am) (an? (?:[\p{L}-]+ ){0,3}${role}\b.{0,80}|allergic to .{2,80}|(?:vegetarian|vegan|left-handed|colou?r-?blind|deaf|lactose intolerant)\b.{0,40})$`,
    ),
    rewrite: ([, what]) => `The user is ${what}`,
  },
]

export const decisions: SentenceRule[] = [
  {
    memoryType: 'fact',
    importance: 4,
    byAssistant: true,
    pattern: pattern(
      String.raw`^We(?:'ve| have)? (?:also |finally |now |just )?(?:decided|agreed|settled|opted|chosen) (?:to|not to|on|that|for|against) (?!${pointer}[.!]?$)(.{4,})$`,
    ),
  },
  {
    memoryType: 'fact',
    importance: 4,
    pattern: pattern(
      String.raw`^I(?:'ve| have)? (?:also |finally |now |just )?(decided|opted|chosen) ((?:to|not to|on|that|for|against) .{4,})$`,
    ),
    rewrite: ([, verb = '', what]) =>
      `The user ${verb.toLowerCase() === 'chosen' ? 'has chosen' : verb.toLowerCase()} ${what}`,
  },
  {
    memoryType: 'fact',
    importance: 4,
    byAssistant: true,
    pattern: pattern(String.raw`^(?:Decision: |The decision (?:is|was) (?=to |that |against ))(.{6,})$`),
    rewrite: ([, what]) => `Decision: ${what}`,
  },
  {
    memoryType: 'fact',
    importance: 4,
    pattern: pattern(
      String.raw`^Let's (go with|use|stick with|stick to|switch to|standardi[sz]e on) (?!${pointer}|the (?:first|second|third|last|other|latter|former)\b|option\b|one\b|both\b)(.{2,})$`,
    ),
    rewrite: ([, verb, what]) => `Decision: ${verb?.toLowerCase()} ${what}`,
  },
  {
    memoryType: 'fact',
    importance: 4,
    byAssistant: true,
    pattern: pattern(
      String.raw`^We(?:'ll| will|'re going to| are going to) (?:use|go with|switch to|stick with|standardi[sz]e on|migrate to) (?!${pointer})(.{2,})$`,
    ),
  },
  {
    memoryType: 'fact',
    importance: 4,
    byAssistant: true,
    pattern: pattern(
      String.raw`^We(?:'re| are) (?:going with|switching to|moving to|standardi[sz]ing on|migrating to) (?!${pointer})(.{2,})$`,
    ),
  },
  {
    memoryType: 'fact',
    importance: 4,
    byAssistant: true,
    pattern: pattern(String.raw`^We chose (?!${pointer})(.{2,60}) (?:over|because|instead of|for) (.{2,})$`),
  },
]

export const causes: SentenceRule[] = [
  {
    memoryType: 'fact',
    importance: 3,
    byAssistant: true,
    pattern: pattern(
      String.raw`^The root cause(?: of .{3,80}?)? (?:was|is|turned out to be) (?!(?:still )?(?:unknown|unclear|not)|${pointer}[.!]?$).{6,}$`,
    ),
  },
  {
    memoryType: 'fact',
    importance: 3,
    byAssistant: true,
    pattern: pattern(String.raw`^(?:I |We )?fixed the .{3,80} by .{6,}$`),
    rewrite: ([sentence]) => upperFirst(sentence.replace(/^(?:I|We) /iu, '')),
  },
]
