import { withoutRecalled } from '@holdfast/client'
import type { MemoryType } from '../memories/memory.ts'
import { sentencesOf } from '../text/split-text.ts'
import { causes, decisions, identity, preferences, thirdPerson } from './english-statements.ts'
import { foreignRules } from './foreign-rules.ts'
import { pattern, pointer, type SentenceRule, upperFirst } from './sentence-rule.ts'
import { constraints, corrections } from './english-directions.ts'

/**
 * Memories in what somebody said, by rules alone: preferences, decisions, constraints, corrections, and what was to be
 * remembered. One sentence makes at most one. What is asked, supposed, quoted, true of today only, or looks like a secret makes none.
 */
export interface ExtractedMemory {
  memoryType: MemoryType
  content: string
  importance: number
  confidence: number
  entities: string[]
}

export type Role = 'user' | 'assistant'

const maxMemories = 10
const maxSentences = 1000
/** Longer ones tell more than one thing, and keep the patterns from work without bound. */
const maxSentenceChars = 400

export function extractMemories(text: string, role: Role): ExtractedMemory[] {
  const found = new Map<string, ExtractedMemory>()
  for (const sentence of joinRetorts(sentencesOf(withoutRecalled(text)).slice(0, maxSentences))) {
    const memory = memoryIn(sentence, role)
    if (memory !== undefined) found.set(memory.content.toLowerCase(), memory)
    if (found.size === maxMemories) break
  }
  return [...found.values()]
}

/** "No." and "That's wrong." belong to the sentence behind them. */
const joinRetorts = (sentences: readonly string[]): string[] =>
  sentences.map((sentence, at) => {
    const before = sentences[at - 1] ?? ''
    return retort.test(before) ? `${before.slice(0, -1)}, ${sentence}` : sentence
  })

const retort =
  /^(?:no|nope|wrong|actually|that['’]s (?:wrong|not right|incorrect)|nein|non|não|falsch|不对|違います)[.!。]$/iu

function memoryIn(given: string, role: Role): ExtractedMemory | undefined {
  const sentence = withoutLeadIn(given.replace(/[’ʼ]/g, "'"))
  if (sentence.length < 4 || sentence.length > maxSentenceChars) return undefined
  if (isOpen.test(sentence) || isPassing.test(sentence) || looksSecret.test(sentence)) return undefined
  return memoryInEnglish(sentence, role) ?? (role === 'user' ? memoryInOther(sentence) : undefined)
}

const leadIn =
  /^(?:and|but|so|also|ok|okay|well|btw|by the way|fyi|oh|hey|hi|please|thanks|great|yes|yeah|sure|important|und|bitte|also|y|e|et)(?:[,:!] | (?=(?:i|we|please|always|never|remember|note|don't|do not|my|let's|from)\b))/iu

function withoutLeadIn(sentence: string): string {
  let rest = withoutMarksBehind(sentence.replace(/^["'“(*_]+/, '')).trim()
  for (let words = 0; words < 3; words++) {
    const shorter = rest.replace(leadIn, '').trim()
    if (shorter === rest) return rest
    rest = shorter
  }
  return rest
}

// By hand: a pattern that is bound to the end begins anew at each of many marks in the middle.
function withoutMarksBehind(sentence: string): string {
  let end = sentence.length
  while (sentence[end - 1] === '*' || sentence[end - 1] === '_') end--
  return sentence.slice(0, end)
}

// Asked, guessed, supposed, or said by somebody else.
const isOpen =
  /[?？]["')”]?$|(?<!\p{L})(?:maybe|perhaps|might|not sure|I think|I guess|I suppose|I wonder|I wish|should (?:we|I)|shall we|what if|if (?:I|we|you|he|she|they)|as if|hypothetically|for example|suppose|imagine|pretend|would you|could you|can you|do you|(?:he|she|they|someone|somebody|people) (?:said|says|say|told|claims?)|according to|vielleicht|peut-être|quizás?|tal vez|talvez|forse|magari)(?!\p{L})|也许|可能|或许|かもしれ|たぶん|でしょうか/iu

// True for the moment only.
const isPassing =
  /(?<!\p{L})(?:today|tonight|right now|for now|just now|at the moment|this time|this morning|tomorrow|yesterday|heute|gerade|morgen früh|aujourd'hui|demain|hoy|ahora mismo|hoje|agora mesmo|oggi|domani)(?!\p{L})|今天|明天|今日|明日/iu

// A value behind the name of a secret, or a long token of letters and digits.
export const looksSecret =
  /(?<!\p{L})(?:passwords?|passwort|kennwort|passphrase|api[- ]?keys?|secret(?: key)?|access token|token|pin|credit card|contraseña|mot de passe|senha)(?:\p{L}|\s){0,30}(?:[:=]|(?<!\p{L})(?:is|are|ist|est|es|é|è)(?!\p{L}))\s*\S|密码是|パスワードは|(?=[\w+/-]*\d)(?=[\w+/-]*[a-z])[\w+/-]{28,}|-----BEGIN/iu

function memoryInEnglish(sentence: string, role: Role): ExtractedMemory | undefined {
  const asked = role === 'user' ? rememberPattern.exec(sentence)?.groups : undefined
  const remembered = asked?.what
  const memory = byRules(remembered === undefined ? sentence : upperFirst(remembered), role)
  if (remembered === undefined) return memory
  // What somebody asks to be remembered is, in the form that the rules give it where one fits.
  const task = /^to \p{L}/u.test(remembered)
  const isPlain = task || asked?.plain !== undefined
  if (memory === undefined && (!isPlain || advice.test(remembered))) return undefined
  const fallback = {
    memoryType: task ? ('constraint' as const) : ('fact' as const),
    content: finish(task ? `Remember ${remembered}` : remembered, task ? 'constraint' : 'fact'),
    importance: 4,
    confidence: 5,
    entities: entitiesOf(remembered),
  }
  return memory === undefined ? fallback : { ...memory, importance: Math.max(memory.importance, 4), confidence: 5 }
}

// Told to a person, not about one.
const advice = /(?<!\p{L})(?:you|your|yourself)(?!\p{L})/iu

function byRules(sentence: string, role: Role): ExtractedMemory | undefined {
  for (const { memoryType, importance, byAssistant, pattern: source, rewrite } of englishRules) {
    if (role === 'assistant' && byAssistant !== true) continue
    const match = source.exec(sentence)
    if (match === null) continue
    const text = rewrite === undefined ? match[0] : rewrite(match)
    if (text === undefined) continue
    if (role === 'assistant' && firstPerson.test(text)) return undefined
    const confidence = role === 'user' ? 4 : 3
    return { memoryType, content: finish(text, memoryType), importance, confidence, entities: entitiesOf(sentence) }
  }
  return undefined
}

function memoryInOther(sentence: string): ExtractedMemory | undefined {
  const rule = foreignRules.find(({ patterns }) => patterns.some((each) => each.test(sentence)))
  if (rule === undefined) return undefined
  const importance = rule.memoryType === 'preference' ? 3 : 4
  // No entities: German writes every noun with a capital.
  return {
    memoryType: rule.memoryType,
    content: `The user said: "${upperFirst(sentence.replace(/"$/, ''))}"`,
    importance,
    confidence: 4,
    entities: codeIn(sentence),
  }
}

const firstPerson = /(?<![\p{L}'])(?:I|I'\p{L}+|me|my|mine|myself)(?![\p{L}'])/u

/**
 * Without "I", which means nobody once the conversation is over; "they" takes the verb as "I" does. A constraint may say
 * "you": whoever reads it is meant.
 */
function finish(text: string, memoryType: MemoryType): string {
  const told = withoutFirstPerson(text)
  return withFullStop(upperFirst(memoryType === 'constraint' ? told : withoutSecondPerson(told)))
}

const word = (source: string) => new RegExp(`(?<![\\p{L}'])(?:${source})(?![\\p{L}'])`, 'gu')

const withoutFirstPerson = (text: string): string =>
  text
    .replace(word('I am'), 'they are')
    .replace(word("I'm"), "they're")
    .replace(word('I was'), 'they were')
    .replace(/(?<![\p{L}'])I(?=(?:'(?:ve|ll|d))?(?![\p{L}']))/gu, 'they')
    .replace(word('[Mm]y'), (_, at: number) => (at === 0 ? "the user's" : 'their'))
    .replace(word('mine'), 'theirs')
    .replace(word('myself'), 'themselves')
    .replace(word('me'), 'them')
    .replace(/^they(?! are| were)(?= )/u, 'the user')
    .replace(/^(the user (?:\p{L}+ly |always |never |still |often )?)([\p{L}']+)/u, (all, who: string, verb: string) =>
      Object.hasOwn(thirdPerson, verb) ? `${who}${thirdPerson[verb]}` : all,
    )

const withoutSecondPerson = (text: string): string =>
  text.replace(word('you are'), 'the agent is').replace(word('your'), "the agent's").replace(word('you'), 'the agent')

const withFullStop = (text: string) => (/[.…。"')]$/.test(text) ? text : `${text.replace(/[!;,:]+$/, '')}.`)

const maxEntities = 10

/** Names in the middle of a sentence, and what stands between backticks. */
function entitiesOf(sentence: string): string[] {
  const names = [
    ...sentence.matchAll(
      /(?<=[\p{L}\p{N}"',;:)] )\p{Lu}[\p{L}\p{N}+#.-]{1,40}(?: \p{Lu}[\p{L}\p{N}+#.-]{1,40}){0,2}/gu,
    ),
  ]
    .map(([name]) => name.replace(/[.,-]+$/, ''))
    .filter((name) => !noName.test(name))
  return [...new Set([...codeIn(sentence), ...names])].slice(0, maxEntities)
}

const noName =
  /^(?:I|The|A|An|And|But|Or|If|When|My|We|It|This|That|OK|Mondays?|Tuesdays?|Wednesdays?|Thursdays?|Fridays?|Saturdays?|Sundays?)$/u

const codeIn = (sentence: string): string[] =>
  [...sentence.matchAll(/`([^`\n]{2,100})`/g)]
    .flatMap(([, code]) => (code === undefined ? [] : [code]))
    .slice(0, maxEntities)

/** In this order: the first that fits says what the sentence is. */
export const englishRules: readonly SentenceRule[] = [
  ...preferences,
  ...identity,
  ...decisions,
  ...corrections,
  ...constraints,
  ...causes,
]

/**
 * "Remember that …" and "Remember: …": what follows is taken whatever it is, unless it points at something said before. Behind
 * a comma or nothing ("Remember, believe in yourself") it must be something by itself.
 */
export const rememberPattern = pattern(
  String.raw`^(?:remember|don't forget|do not forget|keep in mind|bear in mind|take note|note|for the record)(?:(?<plain>:| that)|,|:? please)? (?!(?:${pointer}|me\b|if\b|whether\b|last\b|the time\b|to self\b|about\b))(?<what>.{4,})$`,
)
