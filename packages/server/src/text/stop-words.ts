/**
 * English function words, left out of texts and queries alike: they match everything and tell nothing.
 * Contractions are not listed: the tokeniser takes them apart first. No other language has a list, its frequent words
 * simply weigh little. "May" is not listed: it is a month too.
 */
export const stopWords: ReadonlySet<string> = new Set(
  (
    'a an the this that these those ' +
    'i me my mine myself we us our ours ourselves you your yours yourself yourselves ' +
    'he him his himself she her hers herself it its itself they them their theirs themselves ' +
    'who whom whose which what when where why how ' +
    'am is are was were be been being do does did doing done have has had having ' +
    'can could might must shall should will would ought ' +
    'and or but nor so yet if then else than because as while until although though unless whether ' +
    'of at by for with about against between into through during before after above below to from up down ' +
    'in out on off over under upon onto within without via per ' +
    'again further once here there now just only own same too very also still even ever ' +
    'all any both each few more most other another some such no not none every either neither ' +
    'let lets cannot'
  ).split(' '),
)
