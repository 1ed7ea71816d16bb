/**
 * Words and phrases that suggest that a conversation turn contains something worth remembering, with weights. English is covered well,
 * the other languages in their basics. Lists are separated by commas; accents and case don't matter. `zh` and `ja` match inside runs of
 * characters, the others as whole words.
 */
export interface SignalWords {
  keyword: string
  /** Out of 10. The default threshold is 3, so one word of weight 3 is enough. */
  weight: number
  words: Partial<Record<'en' | 'de' | 'fr' | 'es' | 'pt' | 'it' | 'zh' | 'ja', string>>
}

export const signalWords: readonly SignalWords[] = [
  {
    keyword: 'remember',
    weight: 4,
    words: {
      en: "remember, don't forget, do not forget, keep in mind, note that, take note, make a note, for the record, bear in mind",
      de: 'merk dir, merke dir, merkt euch, merken Sie sich, nicht vergessen, vergiss nicht, denk daran, denke daran',
      fr: "souviens-toi, souvenez-vous, rappelle-toi, rappelez-vous, retiens, retenez, n'oublie pas, n'oubliez pas, note que, notez que",
      es: 'recuerda, recuerde, recuerden, acuérdate, no olvides, no olvide, ten en cuenta, tenga en cuenta, toma nota, anota',
      pt: 'lembre, lembre-se, lembra-te, não esqueça, não se esqueça, não esqueças, tenha em mente, anote',
      it: 'ricorda, ricordati, ricordate, non dimenticare, non dimenticarti, tieni presente, prendi nota, annota',
      zh: '记住, 記住, 别忘, 不要忘, 牢记, 请注意',
      ja: '覚えて, 忘れないで, 記憶して, メモして',
    },
  },
  {
    keyword: 'always',
    weight: 3,
    words: {
      en: 'always, every time, each time, from now on, in future, in the future, going forward, by default',
      de: 'immer, jedes Mal, ab jetzt, ab sofort, von nun an, künftig, in Zukunft, stets, standardmäßig',
      fr: 'toujours, à chaque fois, chaque fois, désormais, dorénavant, à partir de maintenant, par défaut',
      es: 'siempre, cada vez, a partir de ahora, de ahora en adelante, por defecto',
      pt: 'sempre, toda vez, cada vez, a partir de agora, de agora em diante, por padrão',
      it: "sempre, ogni volta, d'ora in poi, da ora in poi, di default",
      zh: '总是, 總是, 始终, 每次, 从现在起, 从今以后, 以后都, 默认',
      ja: '必ず, いつも, 常に, 今後は, これからは, 毎回',
    },
  },
  {
    keyword: 'never',
    weight: 3,
    words: {
      en: "never, under no circumstances, don't ever, do not ever, must not, mustn't, not ever, ever again",
      de: 'nie, nie wieder, niemals, auf keinen Fall, keinesfalls, darf nicht, dürfen nicht',
      fr: 'jamais, en aucun cas, plus jamais',
      es: 'nunca, jamás, bajo ningún concepto, en ningún caso, no vuelvas a',
      pt: 'nunca, jamais, em hipótese alguma, em nenhum caso',
      it: 'mai più, giammai, in nessun caso, per nessun motivo',
      zh: '从不, 从来不, 绝不, 決不, 永远不, 永遠不, 不要再, 切勿, 千万不',
      ja: '決して, 絶対に, しないで, 二度と',
    },
  },
  {
    keyword: 'decided',
    weight: 3,
    words: {
      en: "decided, decision, we agreed, agreed to, agreed on, let's go with, let's use, let's stick with, we'll go with, we will go with, settled on, we chose, going with, switched to, switching to",
      de: 'entschieden, beschlossen, Entscheidung, Beschluss, geeinigt, wir nehmen, festgelegt',
      fr: 'décidé, décidons, décision, nous avons choisi, on a choisi, convenu, on part sur',
      es: 'decidido, decidimos, decidí, decisión, acordamos, acordado, hemos elegido, vamos con',
      pt: 'decidimos, decidi, decidido, decisão, combinamos, acordamos, escolhemos, vamos com',
      it: 'deciso, decisione, abbiamo scelto, concordato, optato',
      zh: '决定, 決定, 选定, 商定, 就用',
      ja: '決めた, 決めました, 決まった, 決まりました, 決定, ことにした, ことにしました, ことになった',
    },
  },
  {
    keyword: 'prefer',
    weight: 3,
    words: {
      en: "prefer, prefers, preferred, preference, preferences, I like, I love, I enjoy, I don't like, I do not like, I dislike, I hate, I can't stand, favorite, favourite, I'd rather, I would rather",
      de: 'bevorzuge, bevorzugt, bevorzugen, lieber, am liebsten, ich mag, ich hasse, Vorliebe, Vorlieben, gefällt mir',
      fr: "préfère, préfères, préférons, préférence, préféré, préférée, j'aime, je n'aime pas, j'adore, je déteste, favori",
      es: 'prefiero, prefiere, preferimos, preferencia, me gusta, me gustan, no me gusta, me encanta, odio, favorito, favorita',
      pt: 'prefiro, prefere, preferimos, preferência, gosto de, não gosto, adoro, odeio, favorito, favorita, preferido',
      it: 'preferisco, preferisce, preferiamo, preferenza, mi piace, mi piacciono, non mi piace, adoro, odio, preferito, preferita',
      zh: '喜欢, 喜歡, 偏好, 偏爱, 更愿意, 宁愿, 讨厌, 最爱',
      ja: '好き, 好み, 方がいい, ほうがいい, 嫌い, 苦手',
    },
  },
  {
    keyword: 'correction',
    weight: 3,
    words: {
      en: "that's wrong, that is wrong, that's not right, that's incorrect, is incorrect, not correct, correction, I meant, I mean, you misunderstood, you got it wrong, you got that wrong, you're wrong, you are wrong, that is not right, this is wrong, no longer, not anymore, not any more",
      de: 'das ist falsch, ist falsch, stimmt nicht, stimmt so nicht, Korrektur, ich meinte, nicht mehr, missverstanden',
      fr: "c'est faux, ce n'est pas correct, est incorrect, correction, je voulais dire, tu te trompes, ce n'est plus",
      es: 'eso no es correcto, es incorrecto, está mal, corrección, quise decir, quería decir, te equivocas, ya no',
      pt: 'está errado, isso não está certo, está incorreto, correção, quis dizer, queria dizer, não é mais, já não',
      it: 'è sbagliato, non è corretto, è errato, correzione, intendevo, volevo dire, non più',
      zh: '不对, 不對, 错了, 錯了, 更正, 纠正, 我的意思是, 搞错',
      ja: '違います, 違う, 間違い, 間違って, 訂正, ではなく, じゃなくて',
    },
  },
  {
    keyword: 'identity',
    weight: 3,
    words: {
      en: 'my name is, call me, I work at, I work for, I work as, I live in, my birthday, my timezone, my time zone, my email, my address is',
      de: 'ich heiße, mein Name ist, nenn mich, ich wohne in, ich arbeite bei, ich arbeite als, mein Geburtstag',
      fr: "je m'appelle, mon nom est, appelle-moi, j'habite, je travaille chez, je travaille comme, mon anniversaire",
      es: 'me llamo, mi nombre es, llámame, vivo en, trabajo en, trabajo como, mi cumpleaños',
      pt: 'meu nome é, o meu nome é, me chamo, chamo-me, moro em, trabalho na, trabalho no, trabalho como, meu aniversário',
      it: 'mi chiamo, il mio nome è, chiamami, abito a, vivo a, lavoro per, lavoro come, il mio compleanno',
      zh: '我叫, 我的名字, 我住在, 我的生日, 我在做',
      ja: '私の名前, と申します, に住んで, に勤めて, 誕生日',
    },
  },
  {
    keyword: 'must',
    weight: 2,
    words: {
      en: 'must, has to, have to, required, requirement, requirements, make sure, ensure that, not allowed, forbidden, mandatory',
      de: 'muss, müssen, darf, dürfen, Pflicht, unbedingt, verboten, zwingend, Anforderung, stelle sicher',
      fr: 'doit, doivent, il faut, obligatoire, interdit, interdite, assure-toi, exigence',
      es: 'debe, deben, hay que, obligatorio, prohibido, asegúrate, requisito',
      pt: 'deve, devem, tem que, tem de, é preciso, obrigatório, proibido, certifique-se, requisito',
      it: 'deve, devono, bisogna, obbligatorio, vietato, assicurati, requisito',
      zh: '必须, 必須, 务必, 務必, 不得, 一定要, 不允许, 禁止',
      ja: 'なければならない, なければなりません, てはいけない, てはいけません, 必須, 禁止',
    },
  },
  {
    keyword: 'important',
    weight: 2,
    words: {
      en: 'important, importantly, critical, crucial, vital, essential',
      de: 'wichtig, entscheidend, wesentlich',
      fr: 'important, importante, essentiel, essentielle, crucial',
      es: 'importante, crucial, esencial, fundamental',
      pt: 'importante, crucial, essencial, fundamental',
      it: 'importante, cruciale, essenziale, fondamentale',
      zh: '重要, 关键, 關鍵',
      ja: '重要, 大事, 大切, 肝心',
    },
  },
  {
    keyword: 'fixed',
    weight: 2,
    words: {
      en: 'fixed, the fix, fixed by, root cause, solved, resolved, workaround, the problem was, the issue was, the bug was, caused by, turns out, turned out, it works now',
      de: 'behoben, gelöst, Ursache, die Lösung, stellte sich heraus, lag daran, funktioniert jetzt',
      fr: 'corrigé, résolu, la cause, contournement, le problème était, ça marche maintenant',
      es: 'arreglado, resuelto, solucionado, la causa, el problema era, ya funciona',
      pt: 'corrigido, resolvido, consertado, a causa, o problema era, agora funciona',
      it: 'risolto, la causa, il problema era, ora funziona, aggirato',
      zh: '修复, 修復, 解决了, 已解决, 根本原因, 原因是',
      ja: '修正した, 修正しました, 直した, 直しました, 解決した, 解決しました, 原因は',
    },
  },
  {
    keyword: 'actually',
    weight: 2,
    words: {
      en: 'actually, in fact, instead of, rather than',
      de: 'eigentlich, tatsächlich, sondern, anstatt, statt dessen',
      fr: 'en fait, en réalité, au lieu de, plutôt que',
      es: 'en realidad, de hecho, en lugar de, en vez de, sino',
      pt: 'na verdade, de fato, em vez de, ao invés de',
      it: 'in realtà, infatti, invece di, anziché, bensì',
      zh: '其实, 其實, 实际上, 而不是, 而是',
      ja: '実は, 実際は, 代わりに',
    },
  },
  {
    keyword: 'deadline',
    weight: 2,
    words: {
      en: 'deadline, due date, due by, due on, no later than, release date, by the end of',
      de: 'Frist, Stichtag, spätestens, Abgabetermin, bis Ende',
      fr: "date limite, échéance, au plus tard, d'ici la fin",
      es: 'fecha límite, plazo, a más tardar, antes del',
      pt: 'prazo, data limite, no máximo até, até o fim',
      it: 'scadenza, al più tardi, entro il, entro la',
      zh: '截止, 期限, 最晚',
      ja: '締め切り, 締切, 期限, 納期',
    },
  },
  {
    keyword: 'because',
    weight: 1,
    words: {
      en: "because, the reason, due to, so that, that's why, therefore",
      de: 'weil, deshalb, deswegen, der Grund, aufgrund',
      fr: "parce que, parce qu'il, c'est pourquoi, à cause de, afin que, la raison",
      es: 'porque, debido a, por eso, para que, la razón',
      pt: 'porque, devido a, por isso, para que, a razão',
      it: 'perché, poiché, a causa di, per questo, il motivo',
      zh: '因为, 因為, 由于, 由於, 所以, 因此',
      ja: 'なぜなら, ので, ために, 理由',
    },
  },
]
