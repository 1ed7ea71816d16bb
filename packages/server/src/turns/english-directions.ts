import { pattern, pointer, pronoun, upperFirst, type SentenceRule } from './sentence-rule.ts'

/** English rules that find constraints ("always …") and corrections ("no, it is …"). */

// In a rule, "always" or "never" is followed by a verb in its base form. Sentences with these words instead aren't rules.
const noRule = String.raw`(?:mind|say never|give up|again|here|there|up|down|out|with|into|around|saw|did|went|came|was|were|is|are|felt|told|said|made|took|found|gave|left|quit|been|had|seen|heard|thought|knew|wanted|loved|got|happy|glad|good|nice|great|fun|ready|possible|the|an?|my|so|that|in|on|at|one|too|fails|works|happens|gets|makes)\b|\p{L}+(?:ed|ing)\b`

export const constraints: SentenceRule[] = [
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

// Words that begin a correction.
const retort = String.raw`(?:no|nope|actually|wrong)`

export const corrections: SentenceRule[] = [
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
      String.raw`^(?:no|nope|actually|wrong|(?:that's|that is) (?:wrong|not right|not correct|incorrect)|you(?:'re| are) wrong|you got (?:it|that) wrong)[,.:;!]* (?:actually,? )?((?!${pronoun})\p{L}[^,]{0,80} ${copula} (?!.*\byet\b)(?!fine|ok|okay|good|great|perfect|done|right|enough|a (?:good|bad|great))\S.*)$`,
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
    pattern: pattern(
      String.raw`^(?:(?:that's|that is|this is) (?:wrong|not right|not correct|incorrect)|you(?:'re| are) wrong|you got (?:it|that) wrong): (?!(?!we\b)${pronoun}|(?:try|please|do|don't|fix|look|check|let|can|could|why|how|again)\b)(\p{L}\S* \S+ .{4,})$`,
    ),
    rewrite: ([, what = '']) => upperFirst(what),
  },
  {
    memoryType: 'correction',
    importance: 4,
    pattern: pattern(
      String.raw`^(?:${retort}[,.:;!]* )?((?:do not|don't) use (?!${pointer})[^,;]{1,60}[,;] (?:but |please )?use (?!${pointer}|whatever\b)\S.{1,80})$`,
    ),
    rewrite: ([, what = '']) => upperFirst(what),
  },
  {
    memoryType: 'correction',
    importance: 4,
    pattern: pattern(
      String.raw`^(?:${retort}[,.:;!]* )?(use (?!${pointer})[^,;]{1,60}?(?:, not| instead of|, rather than| rather than) (?!${pointer}|to\b|only\b|just\b)\S.{1,60})$`,
    ),
    rewrite: ([, what = '']) => upperFirst(what),
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
