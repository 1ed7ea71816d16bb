import type { MemoryType } from '../memories/memory.ts'

/**
 * Basic rules for other languages. The sentence is stored unchanged, because rewriting it would need a grammar of the language.
 * Rules are tried in order. A pattern gets one sentence of bounded length.
 */
export interface ForeignRule {
  memoryType: MemoryType
  patterns: readonly RegExp[]
}

const anyOf = (...sources: string[]) => sources.map((source) => new RegExp(source, 'iu'))

const remember = anyOf(
  String.raw`^(?:bitte )?(?:merke? dir|merken sie sich|vergiss nicht|denke? daran|beachte|nicht vergessen)[,:]? .{5,}`,
  String.raw`^(?:souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|n'oublie pas|n'oubliez pas|retiens|retenez|note|notez)(?: que | qu'| de | d'| ?: ?|, ).{5,}`,
  String.raw`^(?:recuerda|recuerde|acuérdate|no olvides|no olvide|ten en cuenta|tenga en cuenta|toma nota|anota)(?: de)?(?: que|:|,) .{5,}`,
  String.raw`^(?:lembre(?:-se)?|lembra-te|não (?:se )?esqueça|não (?:te )?esqueças|tenha em mente|anote)(?: de)?(?: que|:|,) .{5,}`,
  String.raw`^(?:ricorda(?:ti)?|ricordate|non dimenticare|non dimenticarti|tieni presente|annota)(?: che|:|,) .{5,}`,
  String.raw`^(?:请|請)?(?:记住|記住|别忘了|不要忘记|牢记)[，,：:]?.{3,}`,
  String.raw`^.{3,}(?:を|と|ことを)(?:覚えておいて|忘れないで|覚えて|記憶して)(?:ください|おいて|おいてください|くれ)?[。.!！]?$`,
)

const correction = anyOf(
  String.raw`^(?:nein|falsch|korrektur|das ist falsch|das stimmt nicht)[,:.;!] .{3,}(?: ist | sind | heißt |, nicht |sondern ).*`,
  String.raw`^.{3,80} (?:ist|sind|heißt) nicht .{2,80},? sondern .{2,}`,
  String.raw`^(?:non|c'est faux|correction|en fait) ?[,:.;!] (?!ce n'est rien).{2,}(?: est | sont | s'appelle |, pas ).*`,
  String.raw`^(?:no|corrección|en realidad|eso no es correcto|está mal)[,:.;!] .{2,}(?: es | son | está | se llama |, no ).*`,
  String.raw`^(?:não|correção|na verdade|isso está errado|está errado)[,:.;!] .{2,}(?: é | são | está | se chama |, não ).*`,
  String.raw`^(?:no|correzione|in realtà|è sbagliato|è errato)[,:.;!] .{2,}(?: è | sono | si chiama |, non ).*`,
  String.raw`^(?:不对|不對|错了|錯了|更正|纠正)[，,：:。].{3,}`,
  String.raw`^(?:違います|いいえ|訂正)[、，,。：:].{3,}`,
)

const decision = anyOf(
  String.raw`^wir haben (?:uns )?.{0,60}(?:entschieden|beschlossen|geeinigt)`,
  String.raw`^(?:es wurde beschlossen|ich habe (?:mich )?.{0,60}entschieden|entscheidung:)`,
  String.raw`^(?:nous avons|on a|j'ai) (?:décidé|choisi|convenu) .{4,}`,
  String.raw`^(?:hemos|he) (?:decidido|acordado|elegido) .{4,}`,
  String.raw`^(?:nosotros )?(?:decidimos|acordamos) .{4,}`,
  String.raw`^(?:nós |a gente )?(?:decidimos|combinamos|decidiu|escolhemos|decidi) .{4,}`,
  String.raw`^(?:abbiamo|ho) (?:deciso|scelto|concordato) .{4,}`,
  String.raw`^(?:décision|decisión|decisão|decisione) ?: .{4,}`,
  String.raw`^(?:我们|我們)(?:已经|已經|已)?(?:决定|決定|商定|选定|選定).{2,}`,
  String.raw`^.{3,}(?:ことに決めました|ことに決めた|ことにしました|ことにした|に決定しました|に決めました)[。.!！]?$`,
)

const preference = anyOf(
  String.raw`^ich (?:bevorzuge|hasse|liebe|trinke lieber|esse lieber|nutze lieber|verwende lieber|schreibe lieber|mag (?:lieber|keine?n? )) ?(?!das\b|es\b|dich\b).{3,}`,
  String.raw`^ich mag (?!das\b|es\b|dich\b|sie\b|ihn\b|dein|diese).{3,}`,
  String.raw`^meine? lieblings\p{L}+ (?:ist|sind) .{2,}`,
  String.raw`^je (?:préfère|déteste) (?!ça\b|cela\b|celui|celle|cette|ton\b|ta\b|votre\b).{3,}`,
  String.raw`^(?:j'aime|j'adore|je n'aime pas) (?!ça\b|bien ça|cela\b|cette|ce\b|ton\b|ta\b|votre\b|l'idée).{3,}`,
  String.raw`^m(?:on|a) \p{L}+ préférée? est .{2,}`,
  String.raw`^(?:yo )?(?:prefiero|odio|detesto) (?!que te|eso\b|esto\b|ese\b|esa\b).{3,}`,
  String.raw`^(?:no )?me (?:gustan?|encantan?) (?!eso\b|esto\b|esa\b|ese\b|tu\b|la idea|cómo|como).{3,}`,
  String.raw`^mi \p{L}+ (?:favorit[oa]|preferid[oa]) es .{2,}`,
  String.raw`^(?:eu )?(?:prefiro|odeio|detesto|adoro) (?!isso\b|isto\b|esse\b|essa\b|a ideia).{3,}`,
  String.raw`^(?:eu )?(?:não )?gosto (?:muito )?de (?!isso\b|você|ti\b|sua|seu).{3,}`,
  String.raw`^(?:o )?meu \p{L}+ (?:favorito|preferido) é .{2,}`,
  String.raw`^(?:io )?(?:preferisco|odio|detesto|adoro) (?!questo|questa|quello|quella|l'idea).{3,}`,
  String.raw`^(?:non )?mi piac(?:e|ciono) (?!questo|questa|quest'|quello|quella|l'idea|come\b|molto questo).{3,}`,
  String.raw`^(?:il mio|la mia) \p{L}+ preferit[oa] è .{2,}`,
  String.raw`^我(?:很|更|最|比较|比較|不|非常|特别)?(?:喜欢|喜歡|偏好|讨厌|討厭|偏爱)(?!你|这|這|它|那).{1,}`,
  String.raw`^我宁愿.{3,}`,
  String.raw`^(?!それ|これ|あれ).{2,60}(?:が好きです|のほうが好きです|の方が好きです|が好きだ|が嫌いです|が苦手です|のほうがいいです|の方がいいです)[。.!！]?$`,
)

const imperatives = {
  german:
    'verwende|nutze|benutze|schreibe?|antworte|teste|prüfe|pushe|committe|lösche|mache?|frage?|führe|halte|sprich|nenne|gib|lass|starte',
  french: 'utilise|utilisez|écris|écrivez|réponds|répondez|fais|faites|vérifie|vérifiez|lance|lancez|teste|testez',
  spanish: 'usa|utiliza|escribe|responde|ejecuta|haz|revisa|comprueba|prueba',
  portuguese: 'use|utilize|escreva|responda|execute|faça|rode|verifique|teste',
  italian: 'usa|usate|utilizza|scrivi|rispondi|esegui|fai|controlla|verifica|testa',
}

const constraint = anyOf(
  String.raw`^(?:bitte )?(?:immer|niemals|nie) (?!wieder\b|noch\b|mehr\b|gehört|gesehen|gedacht|ge\p{L}+t\b)\p{L}.{4,}`,
  String.raw`^(?:bitte )?(?:${imperatives.german}) (?:immer|niemals|nie) .{3,}`,
  String.raw`^(?:ab jetzt|ab sofort|von nun an|künftig) .{5,}`,
  String.raw`^(?:s'il (?:te|vous) plaît,? )?(?:toujours|ne jamais|jamais) \p{L}+(?:er|ir|re)\b.{2,}`,
  String.raw`^(?:ne |n')\p{L}{2,20} jamais .{3,}`,
  String.raw`^(?:${imperatives.french}) toujours .{3,}`,
  String.raw`^(?:désormais|dorénavant|à partir de maintenant),? .{5,}`,
  String.raw`^(?:por favor,? )?(?:siempre|nunca|jamás) (?!estoy|estaba|he\b|ha\b|hay\b|es\b|está|me\b|fue|había|tengo|vi\b|mejor|más)\p{L}.{4,}`,
  String.raw`^(?:${imperatives.spanish}) siempre .{3,}`,
  String.raw`^no \p{L}{2,20} nunca .{3,}`,
  String.raw`^(?:a partir de ahora|de ahora en adelante),? .{5,}`,
  String.raw`^(?:por favor,? )?(?:sempre|nunca|jamais) (?!estou|estava|é\b|está|foi\b|tenho|tinha|vi\b|fui\b|gostei|ouvi|he\b|ha\b|me\b|mais|o\b|a\b|più)\p{L}.{4,}`,
  String.raw`^(?:${imperatives.portuguese}) sempre .{3,}`,
  String.raw`^não \p{L}{2,20} nunca .{3,}`,
  String.raw`^(?:a partir de agora|de agora em diante),? .{5,}`,
  String.raw`^(?:${imperatives.italian}) sempre .{3,}`,
  String.raw`^non \p{L}{2,20}(?:are|ere|ire) mai .{3,}`,
  String.raw`^(?:d'ora in poi|da ora in poi),? .{5,}`,
  String.raw`^(?:请|請)?(?:永远不要|永遠不要|绝不要|绝对不要|切勿|千万不要|不要再|务必|務必|始终|总是要|一定要|必须|必須).{2,}`,
  String.raw`^(?:以后|从现在起|从今以后|今后)[，,]?(?:都|要|请|不要|必须).{2,}`,
  String.raw`^(?:必ず|絶対に|常に|今後は|これからは|決して).{3,}(?:ください|こと|ない|る|ます|で)[。.!！]?$`,
)

export const foreignRules: readonly ForeignRule[] = [
  { memoryType: 'fact', patterns: remember },
  { memoryType: 'correction', patterns: correction },
  { memoryType: 'fact', patterns: decision },
  { memoryType: 'preference', patterns: preference },
  { memoryType: 'constraint', patterns: constraint },
]
