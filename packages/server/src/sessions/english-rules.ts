import type { MemoryType } from '../memories/memory.ts'

/**
 * Sentences of which a memory is made, in English. A rule says too little rather than too much: what it makes is read by
 * every later session. Patterns see one sentence of bounded length, without what it is led in by ("Please", "By the way,").
 */
export interface SentenceRule {
  memoryType: MemoryType
  importance: number
  /** Decisions and causes are told by both sides; wishes and rules are the user's alone. */
  byAssistant?: true
  pattern: RegExp
  /** The memory's text where it is not the sentence itself; undefined: this is none after all. */
  rewrite?(match: RegExpExecArray): string | undefined
}

// What stands for something said before: without it the sentence means nothing.
const pointer = String.raw`(?:it|that(?! (?:you|we|all|every|the)\b)|this|these|those|them|you|him|her|what|how|when|where|who|why|your|the (?:idea|way|look|sound|plan|approach|suggestion|result|direction))\b`
const pronoun = String.raw`(?:it|that|this|these|those|he|she|they|there|here|we|you|I|one|which|who|what)\b`
const adverb = String.raw`(?:(really|generally|usually|always|much|strongly|personally|definitely|still|mostly|only) )?`

const thirdPerson: Record<string, string> = {
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
}

const pattern = (source: string, flags = 'iu') => new RegExp(source, flags)
const withAdverb = (word: string | undefined) => (word === undefined ? '' : `${word} `)
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const preferences: SentenceRule[] = [
  {
    memoryType: 'preference',
    importance: 3,
    pattern: pattern(
      `^I ${adverb}(prefer|like|love|enjoy|dislike|hate|favou?r) (?!${pointer}|to (?:say|admit|bother|think|hear|see))(.+)$`,
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

const identity: SentenceRule[] = [
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

const decisions: SentenceRule[] = [
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

// After "always" and "never" a rule has a verb in its plain form; these tell of something else.
const noRule = String.raw`(?:mind|again|been|had|seen|heard|thought|knew|wanted|loved|got|happy|glad|good|nice|great|fun|ready|possible|the|an?|my|so|that|in|on|at|one|too|fails|works|happens|gets|makes)\b|\p{L}+(?:ed|ing)\b`

const constraints: SentenceRule[] = [
  {
    memoryType: 'constraint',
    importance: 4,
    pattern: pattern(String.raw`^(always|never) (?!${noRule})(\p{L}.{3,})$`),
    rewrite: ([, how = '', what]) => `${upperFirst(how.toLowerCase())} ${what}`,
  },
  {
    memoryType: 'constraint',
    importance: 4,
    pattern: pattern(String.raw`^(?:don't|do not) (?:you )?ever (\p{L}.{3,})$`),
    rewrite: ([, what]) => `Never ${what}`,
  },
  {
    memoryType: 'constraint',
    importance: 4,
    pattern: pattern(String.raw`^(?:from now on|going forward|from here on),? (?!${pointer})(.{6,})$`),
    rewrite: ([, what]) => `From now on, ${what}`,
  },
  {
    memoryType: 'constraint',
    importance: 4,
    pattern: pattern(
      String.raw`^(?:when|whenever|before|after|if|for|in|on) (?!it\b|that\b|this\b)[^,]{3,120}, (?:please )?(?:always|never) (?!${noRule})\p{L}.{3,}$`,
    ),
  },
  {
    memoryType: 'constraint',
    importance: 4,
    pattern: pattern(String.raw`^make sure (?:to|you|that you) (always|never) (\p{L}.{3,})$`),
    rewrite: ([, how = '', what]) => `${upperFirst(how.toLowerCase())} ${what}`,
  },
  {
    memoryType: 'constraint',
    importance: 4,
    pattern: pattern(
      String.raw`^(?:a(?:ll|ny)|every|each|no) (?!of (?:it|this|that|them)\b)(?!one\b)\p{L}.{1,100} (?:must|has to|have to|needs to|need to|should always|should never|may not|may) (?!have\b)\p{L}.{2,}$`,
    ),
  },
  {
    memoryType: 'constraint',
    importance: 4,
    pattern: pattern(
      String.raw`^(?!${pronoun})\p{L}.{2,80} must (?:not|never|always) (?!have\b|be (?:happy|mad|tired)\b)\p{L}.{2,}$`,
    ),
  },
  {
    memoryType: 'constraint',
    importance: 4,
    pattern: pattern(String.raw`^you (?:must|should) (always|never) (?!be |have )(\p{L}.{3,})$`),
    rewrite: ([, how = '', what]) => `${upperFirst(how.toLowerCase())} ${what}`,
  },
  {
    memoryType: 'constraint',
    importance: 4,
    pattern: pattern(
      String.raw`^(?:we(?: are|'re) not allowed to .{4,}|(?!${pronoun})\p{L}.{2,100} (?:is|are) (?:strictly )?(?:not allowed|forbidden|prohibited|mandatory)\b.{0,80})$`,
    ),
  },
]

const copula = String.raw`(?:is|are|was|were|has|have|uses?|runs?|lives?|belongs?|means?|starts?|ends?|listens?|costs?|should be|needs?|requires?)`

const corrections: SentenceRule[] = [
  {
    memoryType: 'correction',
    importance: 4,
    pattern: pattern(String.raw`^(?:small )?correction[:,] (.{6,})$`),
    rewrite: ([, what = '']) => upperFirst(what),
  },
  {
    memoryType: 'correction',
    importance: 4,
    pattern: pattern(
      String.raw`^(?:no|nope|actually|wrong|(?:that's|that is) (?:wrong|not right|not correct|incorrect)|you(?:'re| are) wrong|you got (?:it|that) wrong)[,.:;!]* (?:actually,? )?((?!${pronoun})\p{L}[^,]{0,80} ${copula} (?!fine|ok|okay|good|great|perfect|done|right|enough|a (?:good|bad|great))\S.*)$`,
    ),
    rewrite: ([, what = '']) => upperFirst(what),
  },
  {
    memoryType: 'correction',
    importance: 4,
    pattern: pattern(
      String.raw`^(?:no|nope|actually|wrong|(?:that's|that is) (?:wrong|not right|not correct|incorrect))[,.:;!]* (it(?:'s| is) .{2,80}, not .{1,80})$`,
    ),
    rewrite: ([, what]) => `The user corrected: "${what}"`,
  },
  {
    memoryType: 'correction',
    importance: 4,
    pattern: pattern(String.raw`^I meant (?!${pointer})(.{2,80}, not .{1,80})$`),
    rewrite: ([, what]) => `The user meant ${what}`,
  },
  {
    memoryType: 'correction',
    importance: 4,
    pattern: pattern(
      String.raw`^(?!${pronoun})\p{L}[^,]{1,80} ${copula} [^,]{1,80}, not (?!just\b|only\b|yet\b|really\b|so\b|that\b|to\b|because\b)[^,]{1,80}$`,
    ),
  },
  {
    memoryType: 'correction',
    importance: 4,
    pattern: pattern(
      String.raw`^(?!(?!we\b)${pronoun})(?:.{2,80} (?:is|are|do|does) no longer .{3,}|we no longer .{4,}|we (?:don't|do not) (?:use|have|support) (?!${pointer}).{2,60} any ?more)[.!]?$`,
    ),
  },
]

const causes: SentenceRule[] = [
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

/** In this order: the first that fits says what the sentence is. */
export const englishRules: readonly SentenceRule[] = [
  ...preferences,
  ...identity,
  ...decisions,
  ...corrections,
  ...constraints,
  ...causes,
]

/** "Remember that …": what follows is taken whatever it is, unless it points at something said before. */
export const rememberPattern = pattern(
  String.raw`^(?:remember|don't forget|do not forget|keep in mind|bear in mind|take note|note|for the record)(?:,|:| that|:? please)? (?!(?:${pointer}|me\b|if\b|whether\b|last\b|the time\b|to self\b|about\b))(.{4,})$`,
)
