import { withoutRecalled } from '@holdfast/client'
import type { MemoryType } from '../memories/memory.ts'
import { sentencesOf } from '../text/split-text.ts'
import { causes, decisions, identity, preferences, thirdPerson } from './english-statements.ts'
import { foreignRules } from './foreign-rules.ts'
import { pattern, pointer, type SentenceRule, upperFirst } from './sentence-rule.ts'
import { constraints, corrections } from './english-directions.ts'

/**
 * Finds memories in a turn by rules: preferences, decisions, constraints, corrections, and anything the user asks to remember.
 * A sentence makes at most one memory. Questions, guesses, quotes, statements about today and likely secrets make none.
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
/** Longer sentences say more than one thing. The limit also bounds the work of the patterns. */
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

/** "No." and "That's wrong." belong to the sentence after them. */
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

// A loop, because a regular expression anchored at the end would restart at each of many marks in the middle.
function withoutMarksBehind(sentence: string): string {
  let end = sentence.length
  while (sentence[end - 1] === '*' || sentence[end - 1] === '_') end--
  return sentence.slice(0, end)
}

// A question, a guess, a hypothesis, or someone else's words.
const isOpen =
  /[?？]["')”]?$|(?<!\p{L})(?:maybe|perhaps|might|not sure|I think|I guess|I suppose|I wonder|I wish|should (?:we|I)|shall we|what if|if (?:I|we|you|he|she|they)|as if|hypothetically|for example|suppose|imagine|pretend|would you|could you|can you|do you|(?:he|she|they|someone|somebody|people) (?:said|says|say|told|claims?)|according to|vielleicht|peut-être|quizás?|tal vez|talvez|forse|magari)(?!\p{L})|也许|可能|或许|かもしれ|たぶん|でしょうか/iu

// True for the moment only.
const isPassing =
  /(?<!\p{L})(?:today|tonight|right now|for now|just now|at the moment|this time|this morning|tomorrow|yesterday|heute|gerade|morgen früh|aujourd'hui|demain|hoy|ahora mismo|hoje|agora mesmo|oggi|domani)(?!\p{L})|今天|明天|今日|明日/iu

// A value after the name of a secret, or a long token of letters and digits.
export const looksSecret =
  /(?<!\p{L})(?:passwords?|passwort|kennwort|passphrase|api[- ]?keys?|secret(?: key)?|access token|token|pin|credit card|contraseña|mot de passe|senha)(?:\p{L}|\s){0,30}(?:[:=]|(?<!\p{L})(?:is|are|ist|est|es|é|è)(?!\p{L}))\s*\S|密码是|パスワードは|(?=[\w+/-]*\d)(?=[\w+/-]*[a-z])[\w+/-]{28,}|-----BEGIN/iu

function memoryInEnglish(sentence: string, role: Role): ExtractedMemory | undefined {
  const asked = role === 'user' ? rememberPattern.exec(sentence)?.groups : undefined
  const remembered = asked?.what
  const memory = byRules(remembered === undefined ? sentence : upperFirst(remembered), role)
  if (remembered === undefined) return memory
  // A request to remember something is always stored. If a rule matches, it decides the form.
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

// Addresses the assistant rather than saying something about the user.
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
  // Only code counts as an entity here, because German capitalizes every noun.
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
 * Replaces "I", which has no meaning outside the conversation, with "they", which takes the same verb form. A constraint keeps
 * "you": it addresses the agent that reads it.
 */
function finish(text: string, memoryType: MemoryType): string {
  const impersonal = withoutFirstPerson(text)
  return withFullStop(upperFirst(memoryType === 'constraint' ? impersonal : withoutSecondPerson(impersonal)))
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

/** Capitalized names inside the sentence, and text in backticks. */
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

/** In order of precedence: the first rule that matches decides. */
const englishRules: readonly SentenceRule[] = [
  ...preferences,
  ...identity,
  ...decisions,
  ...corrections,
  ...constraints,
  ...causes,
]

/**
 * After "Remember that …" and "Remember: …" any text is stored, unless it refers to something said before. After a comma or a
 * space ("Remember, believe in yourself") the text must also match a rule.
 */
const rememberPattern = pattern(
  String.raw`^(?:remember|don't forget|do not forget|keep in mind|bear in mind|take note|note|for the record)(?:(?<plain>:| that)|,|:? please)? (?!(?:${pointer}|me\b|if\b|whether\b|last\b|the time\b|to self\b|about\b))(?<what>.{4,})$`,
)
