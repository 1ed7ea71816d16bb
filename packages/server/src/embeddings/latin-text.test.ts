import { describe, expect, it } from 'vitest'
import { isMostlyLatin } from './latin-text.ts'
import { processorMs } from '../../test/processor-time.ts'

describe('isMostlyLatin', () => {
  it.each([
    'where is the key?',
    'où est la clé naïve',
    'port 5432',
    '',
    '?! 42',
    'die Größe',
    'the word 鍵 in English',
  ])('holds for %j', (text) => expect(isMostlyLatin(text)).toBe(true))

  it.each([
    '鍵はどこですか',
    '열쇠는 어디에',
    'где ключ от API',
    'أين المفتاح',
    'που είναι το κλειδί',
    '我的 WiFi 密码是什么呢',
  ])('does not hold for %j', (text) => expect(isMostlyLatin(text)).toBe(false))

  it('takes a long text in its stride', () => {
    expect(processorMs(() => isMostlyLatin('é𠮷'.repeat(10_000)))).toBeLessThan(200)
  })
})
