/**
 * What stands for the same in what agents write down. A line belongs here only if in no everyday sentence one of its words
 * for another tells another thing: what is missing costs a copy, what is wrong costs a fact. So there are no opposites, no
 * degrees ("like", "adore"), and no words of several everyday meanings ("flat", "lead", "lab", "keep", "pick", "firm").
 */

/** One line a meaning, in base forms; the first word stands for all. No word is in two lines of all tables. */
export const verbs = `
  start begin
  finish complete
  buy purchase
  fix repair
  choose select
  delete remove
  create generate
  need require
  live reside vive
  reply respond
  allow permit
  forbid prohibit
  hate detest loathe
  improve enhance
  close shut
  recommend advise
  find discover
  reject decline
  move relocate
  write author
  inform notify
  use utilize
  build construct
  change modify
  run execute
  speak talk
  keep retain
  try attempt
  collect gather
  stay remain
  postpone defer`

export const nouns = `
  phone telephone
  doctor physician
  lawyer attorney
  child kid
  mother mum mom
  father dad
  grandmother grandma granny
  grandfather grandpa
  colleague coworker
  car automobile
  bike bicycle
  photo photograph
  sofa couch
  fridge refrigerator
  television tv
  movie film
  drawback disadvantage
  repository repo
  database db datenbank bdd
  configuration config
  environment env
  specification spec
  parameter param
  message msg
  department dept
  university uni
  retrospective retro
  certificate cert
  organization org
  elevator lift
  holiday vacation
  bug defect
  headquarters hq
  appointment appt
  identifier id
  directory dir
  manager mgr
  library lib
  package pkg
  function func
  account acct
  garbage rubbish
  administrator admin`

/** These have one form. */
export const others = `
  shown displayed
  mathematics maths math
  production prod
  development dev
  postgresql postgres
  javascript js
  documentation docs
  information info
  authentication auth authn
  infrastructure infra
  credentials creds
  average avg
  approximately approx
  mandatory compulsory
  favorite preferred
  maximum max
  management mgmt
  previous prev
  original orig
  kubernetes k8s
  asynchronous async
  statistics stats
  gray grey
  program programme
  catalog catalogue
  dialog dialogue
  license licence
  defense defence
  until till
  while whilst
  among amongst
  toward towards
  whole entire
  often frequently
  seldom rarely
  yearly annually
  afterward afterwards
  every each
  everyone everybody
  someone somebody
  anyone anybody
  benutzer nutzer anwender
  benutzerin nutzerin anwenderin
  wohnt lebt
  beginnt startet
  nutzt verwendet benutzt
  nutzen verwenden benutzen
  löscht entfernt
  empieza comienza
  habite réside
  commence débute`

/** What is written short, and what for. */
const shortened = `
  ci continuous integration
  cd continuous delivery
  qa quality assurance
  mvp minimum viable product
  vp vice president
  hr human resources
  pr pull request
  ui user interface
  ux user experience
  os operating system
  vm virtual machine
  gpu graphics card
  sso single sign-on
  sla service level agreement
  kpi key performance indicator
  poc proof of concept
  ceo chief executive officer
  cto chief technology officer
  semver semantic versioning
  ooo out of office`

/** What several words come to, `=` one or more others; articles are left out before. */
const phrases = `
  is called by = is called by
  implemented in = written in
  turned down = rejected
  turns down = rejects
  must never = must not
  has to = must
  have to = must
  needs to = must
  is required to = must
  are required to = must
  is able to = can
  are able to = can
  is located in = is in
  are located in = are in
  is situated in = is in
  has * allergy = is allergic to *
  retention period = retention
  by accident = accidentally
  on purpose = deliberately
  at end of = end of
  owing to = because-of
  due to = because-of
  thanks to = thanks-to
  is called = is named
  because of = because-of
  prior to = before
  in order to = to
  wishes to = wants to
  wish to = want to
  each day = daily
  each night = nightly
  each week = weekly
  each month = monthly
  each year = yearly
  every day = daily
  every night = nightly
  every week = weekly
  every month = monthly
  every year = yearly
  made decision to = decided to
  has preference for = prefers
  has allergy to = is allergic to
  has fear of = is afraid of
  takes walk = walks
  takes place = is
  take place = are
  will take place = will be
  runs out = ends
  called off = cancelled
  rather than = instead of
  in place of = instead of
  put off = postponed
  switched off = turned off
  switched on = turned on
  carried out = performed
  carries out = performs
  found out = discovered
  makes use of = uses
  by means of = with
  by using = with
  as well as = and
  together with = with
  has got = has
  is known as = is named
  whose name is = named
  by name of = named
  is going to = will
  are going to = will
  is not allowed to = must not
  are not allowed to = must not
  is employed by = works for
  belongs to = is owned by
  belong to = are owned by
  is in charge of = leads
  is head of = leads
  time zone = timezone
  base de données = database
  aime mieux = préfère`

export const rows = (table: string, between: string) =>
  table
    .split(between)
    .map((row) => row.trim())
    .filter((row) => row !== '')
    .map((row) => row.split(/\s+/))

const firstWords = (table: string) =>
  new Map(rows(table, '\n').flatMap((row) => row.map((word): [string, string] => [word, row[0] ?? word])))

/** The word that stands for all of the same meaning, by any of them in its base form. */
export const [sameVerbs, sameNouns, sameOthers] = [firstWords(verbs), firstWords(nouns), firstWords(others)]

/** Whether it is the first of its line. */
export const standsForAll = (word: string): boolean =>
  [sameVerbs, sameNouns, sameOthers].some((table) => table.get(word) === word)

export interface Phrase {
  words: readonly string[]
  to: readonly string[]
}

const knownPhrases = Map.groupBy(
  [
    ...rows(phrases, '\n').map((row): Phrase => {
      const at = row.indexOf('=')
      return { words: row.slice(0, at), to: row.slice(at + 1) }
    }),
    ...rows(shortened, '\n').map(([short = '', ...words]): Phrase => ({ words, to: [short] })),
  ],
  ({ words: [first = ''] }) => first,
)

export const abbreviations: ReadonlySet<string> = new Set(rows(shortened, '\n').map(([short = '']) => short))
/** Phrases that may stand in the plural, joined by spaces. */
export const abbreviated: ReadonlySet<string> = new Set(rows(shortened, '\n').map((row) => row.slice(1).join(' ')))

/** Phrases that begin with this word; of two of which one begins the other, the longer stands first in the table. */
export const phrasesFrom = (word: string): readonly Phrase[] => knownPhrases.get(word) ?? []
