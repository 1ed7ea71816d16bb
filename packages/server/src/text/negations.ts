/**
 * Words that deny, in the languages that agents meet most. Counted, not understood: two texts with different counts do not
 * say the same.
 */
const words = new Set(
  // English, also as it is typed in haste.
  (
    'not no never none nobody nothing nowhere neither nor without cannot hardly scarcely barely unable non ' +
    'dont doesnt didnt isnt arent wasnt werent wont cant couldnt shouldnt wouldnt havent hasnt hadnt aint mustnt ' +
    'ohne zonder utan uden uten sans sin sem senza bez без ' +
    // German, Dutch, Swedish, Danish, Norwegian.
    'nicht kein keine keinen keinem keiner keines nie niemals niemand niemanden nichts nirgends weder ' +
    'niet geen nooit niemand niets inte icke ikke aldrig aldri ingen inget ' +
    // French, Spanish, Portuguese, Italian, Catalan.
    'ne pas jamais aucun aucune rien personne ni nunca jamás jamas nada nadie ningún ningun ninguno ninguna tampoco ' +
    'não nao ninguém nenhum nenhuma nem mai nessuno nessuna niente nulla né cap mica ' +
    // Polish, Czech, Russian, Ukrainian, Turkish, Finnish, Hungarian, Vietnamese.
    'nigdy nikt nic nikdy nikdo не нет ни никогда никто ничего нельзя немає ніколи değil yok hiç ei eivät nem soha không chưa đừng ' +
    // Arabic, Hebrew, Hindi.
    'لا ليس لم لن غير לא אין אל नहीं मत'
  ).split(' '),
)

/** Scripts without spaces: anywhere in the text. */
const unspaced = /[不没沒無无未非别勿莫]|ない|なかった|ません|않|못|없|아니|ไม่/gu

export const isNegation = (word: string): boolean => words.has(word) || /n['’]t$/u.test(word) || /^n['’]$/u.test(word)

export const countUnspacedNegations = (text: string): number => text.match(unspaced)?.length ?? 0
