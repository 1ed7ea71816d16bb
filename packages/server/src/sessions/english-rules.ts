import { constraints, corrections } from './english-directions.ts'
import { causes, decisions, identity, preferences } from './english-statements.ts'
import { pattern, pointer, type SentenceRule } from './sentence-rule.ts'

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
