/**
 * What stands for the same in what agents write down. A line belongs here only if in no everyday sentence one of its words
 * for another tells another thing: what is missing costs a copy, what is wrong costs a fact. So there are no opposites, no
 * degrees ("like", "adore"), and no words of several everyday meanings ("check", "job", "right", "temp").
 */

/** One line a meaning, in base forms; the first word stands for all. No word is in two lines. */
const meanings = `
  start begin commence
  finish complete
  end cease
  buy purchase
  fix repair mend
  choose pick select
  delete remove erase
  create generate
  show display
  get obtain
  need require
  want wish
  live reside dwell vive
  help assist
  phone telephone
  own possess
  keep store retain
  postpone defer
  reply respond answer
  permit allow
  forbid prohibit
  attempt try
  change modify alter
  use utilize
  gather collect
  explain clarify
  lead head
  suspend pause
  examine inspect
  allocate assign
  leave depart
  quit resign
  provide supply
  hurt ache
  build construct
  move relocate
  hate detest loathe
  enjoy love
  improve enhance
  happen occur
  doctor physician
  lawyer attorney solicitor
  child kid
  mother mum mom
  father dad
  grandmother grandma granny
  grandfather grandpa
  colleague coworker
  friend pal
  company firm
  car automobile
  flat apartment
  bike bicycle
  film movie
  picture image img
  photo photograph
  holiday vacation
  sofa couch
  rubbish trash garbage
  lift elevator
  pavement sidewalk
  petrol gasoline
  cellphone smartphone
  fridge refrigerator
  television tv telly
  mathematics maths math
  exam examination
  vet veterinarian
  plane airplane aeroplane aircraft
  timetable schedule
  salary pay
  illness sickness disease
  medicine medication
  mistake error
  goal objective aim
  benefit advantage
  drawback disadvantage
  place location
  cellar basement
  folder directory dir
  repository repo
  database db datenbank bdd
  configuration config
  environment env
  production prod
  development dev
  kubernetes k8s
  typescript ts
  javascript js
  postgresql postgres pg
  mongodb mongo
  application app
  documentation docs
  specification spec
  information info
  administrator admin
  parameter param
  argument arg
  variable var
  password passwd pwd
  message msg
  library lib
  authentication auth authn
  authorization authz
  performance perf
  average avg
  department dept
  university uni
  laboratory lab
  retrospective retro
  advertisement advert
  approximately approx roughly circa
  credential creds
  infrastructure infra
  certificate cert
  reference ref
  attribute attr
  organization org
  manager mgr
  implementation impl
  dependency dep
  utility util
  favorite fave
  big large
  small little
  quick fast rapid
  short brief concise
  mandatory compulsory obligatory
  wrong incorrect
  easy simple
  difficult hard
  sick ill
  glad happy
  quiet silent
  clever smart intelligent
  rich wealthy
  whole entire
  huge enormous
  afraid scared frightened
  odd strange weird
  often frequently
  seldom rarely
  usually normally generally
  almost nearly
  immediately instantly
  perhaps maybe
  afterward afterwards
  yearly annually
  until till
  via through
  about regarding concerning
  on upon
  everyone everybody
  someone somebody
  anyone anybody
  benutzer nutzer anwender
  benutzerin nutzerin anwenderin
  wohnt lebt
  beginnt startet anfängt
  nutzt verwendet benutzt
  nutzen verwenden benutzen
  löscht entfernt
  besprechung meeting
  arzt doktor
  handy mobiltelefon
  empieza comienza
  coche carro
  ordenador computadora
  usa utiliza
  borra elimina
  habite réside
  commence débute
  utilise emploie
  supprime efface`

/** What several words come to, `=` one or more others; articles are left out before. */
const phrases = `
  has to = must
  have to = must
  needs to = must
  need to = must
  can not stand = hate
  is called by = is called by
  are called by = are called by
  is called = is named
  are called = is named
  was called = was named
  is located = is
  are located = is
  because of = due to
  owing to = due to
  prior to = before
  in order to = to
  rather than = instead of
  in addition to = besides
  apart from = except
  except for = except
  at moment = now
  right now = now
  at present = now
  as of now = now
  close to = near
  every day = daily
  each day = daily
  every night = nightly
  each night = nightly
  every week = weekly
  each week = weekly
  every hour = hourly
  each hour = hourly
  every month = monthly
  each month = monthly
  every year = yearly
  each year = yearly
  all of = all
  made decision to = decided to
  make decision to = decide to
  has preference for = prefers
  have preference for = prefer
  has allergy to = is allergic to
  have allergy to = is allergic to
  has fear of = is afraid of
  have fear of = is afraid of
  has interest in = is interested in
  takes walk = walks
  took walk = walked
  is in charge of = leads
  was in charge of = led
  is head of = leads
  pull request = pr
  merge request = pr
  continuous integration = ci
  user interface = ui
  operating system = os
  virtual machine = vm
  machine learning = ml
  united states = us
  new york city = nyc
  time zone = timezone
  base de données = database
  base de datos = database
  aime mieux = préfère`

export const rows = (table: string, between: string | RegExp) =>
  table
    .split(between)
    .map((row) => row.trim())
    .filter((row) => row !== '')
    .map((row) => row.split(/\s+/))

const standIns = new Map(
  rows(meanings, '\n').flatMap(([first = '', ...others]) => [first, ...others].map((word) => [word, first])),
)

/** The word that stands for all of the same meaning; undefined for most words. */
export const standIn = (base: string): string | undefined => standIns.get(base)

export interface Phrase {
  words: readonly string[]
  to: readonly string[]
}

const byFirstWord = (list: readonly Phrase[]) => {
  const found = Map.groupBy(list, ({ words: [first = ''] }) => first)
  for (const some of found.values()) some.sort((a, b) => b.words.length - a.words.length)
  return found
}

const knownPhrases = byFirstWord(
  phrases
    .trim()
    .split('\n')
    .map((line) => line.split('='))
    .map(([from = '', to = '']) => ({ words: from.trim().split(' '), to: to.trim().split(' ') })),
)

/** Phrases that begin with this word, the longest first. */
export const phrasesFrom = (word: string): readonly Phrase[] => knownPhrases.get(word) ?? []
