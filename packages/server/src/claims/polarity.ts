import { stem } from 'porter2'

/**
 * Opposites: one line per topic, its sides separated by `|`. Texts on different sides of a topic say different things,
 * however similar they are. The list doesn't have to be complete, since it only keeps texts apart.
 */
const topics = `
  and | or | xor
  i me my mine we us our ours ich wir mein unser je nous mon notre yo nosotros mi nuestro | you your yours du dein sie ihr tu vous ton votre tú tu usted | he him his er sein il elle él | she her hers ella
  this these | that those
  is are am ist sind est sont es son está están | was were war waren était étaient era eran fue estaba | will wird werden sera
  must shall should muss soll doit debe | may might could kann darf peut puede
  before vor avant antes | after nach après despues después
  above over über sur sobre | below under beneath underneath unter sous bajo
  into in inside in | out outside aus
  from von aus de desde | to zu nach à hacia
  on | off
  up rauf | down runter
  with mit avec con | without ohne sans sin
  for für pour para | against gegen contre contra
  more greater mehr plus más | less fewer weniger moins menos
  most maximum max | least minimum min
  all every each alle jeder tous todo todos toutes | some several einige quelques algunos | few wenige peu pocos | both beide
  always immer toujours siempre sempre | often usually oft souvent | sometimes occasionally manchmal parfois | rarely seldom selten rarement
  enable activate aktivieren aktiviert activé activer activado activar | disable deactivate deaktivieren deaktiviert désactivé désactiver desactivado desactivar
  allow permit grant approve accept erlaubt permis permitido | deny forbid forbidden prohibit reject refuse block ban disallow decline verboten interdit prohibido
  true wahr vrai verdadero | false falsch faux falso
  yes ja oui sí
  like love enjoy mag liebt aime gusta prefer bevorzugt préfère prefiere | hate loathe detest avoid hasst déteste odia dislike
  add insert append create | remove delete drop erase destroy
  buy bought purchase kauft achète compra | sell sold verkauft vend vende
  increase rise rose grow grew raise steigt | decrease fall fell shrink reduce lower sinkt
  high higher highest hoch | low lower lowest niedrig
  big large bigger larger groß gross grand grande | small little smaller tiny klein petit pequeño
  fast quick faster rapid schnell rapide rápido | slow slower langsam lent lento
  hot warm heiß chaud caliente | cold cool kalt froid frío
  old older alt vieux viejo | new newer neu nouveau nuevo
  early earlier früh tôt temprano | late later spät tard tarde
  first erste premier primero | second zweite | last final letzte dernier último
  begin began start open launch beginnt commence empieza | end stop close finish shut endet finit termina
  succeed success pass win won | fail failure lose lost
  push | pull
  upload | download
  import | export
  input ingress inbound incoming | output egress outbound outgoing
  read reader lesen | write wrote written writer schreiben
  send sent sender | receive recipient receiver
  public öffentlich | private privat
  internal | external
  manual manually | automatic automatically automated
  sync synchronous | async asynchronous
  online | offline
  production prod live | staging | development dev | test testing qa | preview
  encrypt | decrypt
  lock | unlock
  include contain | exclude omit
  secondly minutely | hourly | daily nightly | weekly | monthly | quarterly | yearly annually
  morning | noon afternoon | evening | night midnight
  primary main | secondary | replica standby | backup
  client customer | server | vendor supplier
  frontend | backend
  parent | child
  mother mutter mère madre | father vater père padre
  brother bruder frère hermano | sister schwester sœur hermana
  son sohn fils hijo | daughter tochter fille hija
  husband | wife
  man male boy | woman female girl
  left links gauche izquierda | right rechts droite derecha
  north nord norte | south süd sud sur | east ost est este | west ouest oeste
  light | dark
  wet | dry
  cheap | expensive
  strong | weak
  full | empty
  single | married | divorced
  ascending asc | descending desc
  horizontal | vertical
  local | remote
  static | dynamic
  optional | required mandatory
  safe | dangerous
  good better best | bad worse worst
  red | green | blue | yellow | black | white | orange | purple | grey gray | brown | pink
  present | absent
  alive | dead
  rich | poor
  happy | sad
  win | loss
  credit | debit
  employer | employee
  teacher | student
  doctor | patient
  lend lent | borrow
  forward | reverse backward
  tabs | spaces`

/** Words that limit or weaken a statement: one more or one less makes it another statement. */
const limits = `only solely exclusively except unless if until while once almost nearly partly mostly maybe perhaps possibly probably likely
  supposedly allegedly former formerly previously used temporarily planned proposed draft deprecated legacy obsolete alleged
  half double twice least most other again nur außer falls wenn vielleicht früher ehemals bald seulement sauf si peut-être ancien solo salvo quizás`

export interface Side {
  matter: number
  side: number
}

export const wordKey = (word: string): string => (/^[a-z]+$/.test(word) ? stem(word) : word)

const sides = new Map<string, Side[]>()
topics
  .trim()
  .split('\n')
  .forEach((line, matter) =>
    line.split('|').forEach((words, side) => {
      for (const word of words.trim().split(/\s+/)) {
        const known = sides.get(wordKey(word)) ?? []
        sides.set(wordKey(word), [...known, { matter, side }])
      }
    }),
  )

const limiting = new Set(limits.split(/\s+/).map(wordKey))

/** Empty for most words. */
export const sidesOf = (word: string): readonly Side[] => sides.get(wordKey(word)) ?? none

const none: readonly Side[] = []

export const isLimit = (word: string): boolean => limiting.has(wordKey(word))

const prefixes = new Set('un in im ir il dis non de dé des dés anti mis ent miss'.split(' '))

/** Whether a prefix or an ending turns one word into the opposite of the other: "able", "unable"; "harmful", "harmless". */
export function areOpposites(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (long.endsWith(short) && prefixes.has(long.slice(0, -short.length).replace(/-$/, ''))) return true
  const [less, other] = a.endsWith('less') ? [a, b] : [b, a]
  const root = less.slice(0, -4)
  return less.endsWith('less') && (other === root || other === `${root}ful`)
}

/** Negations in the languages that agents meet most. They are counted, not understood: texts with different counts differ. */
const words = new Set(
  // English, including common typos.
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

/** In scripts without spaces, matched anywhere in the text. */
const unspaced = /[不没沒無无未非别勿莫]|ない|なかった|ません|않|못|없|아니|ไม่/gu

export const isNegation = (word: string): boolean => words.has(word) || /n['’]t$/u.test(word) || /^n['’]$/u.test(word)

export const countUnspacedNegations = (text: string): number => text.match(unspaced)?.length ?? 0
