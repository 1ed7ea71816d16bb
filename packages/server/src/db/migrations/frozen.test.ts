import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openStore } from '../../../test/database.ts'
import { eachDialect } from '../../../test/dialects.ts'
import { migrate } from '../migrate.ts'

/**
 * The SHA-256 of each migration's statements. A released migration never changes: a database that has it would refuse to start. A new
 * one takes the next number and adds a line at the end of both lists; the failing test prints it.
 */
const frozen: Record<'sqlite' | 'postgres', string[]> = {
  sqlite: [
    '0001-initial 740b3521354d482fc57b26940c03e6a65b727064c75bb2f6cd6d8c58fda3e023',
    '0002-memory-versions 0da0994c4f8bda7c6daca7334c0d5ebaa8807e5861f081e72fa400d2e65d122f',
    '0003-version-writers 7e1b9d293051887e3803cea49d225433a59802f80c8c14e79ddbee5e674eed50',
    '0004-message-integrations 304e70b70a793d50722f1e2766e7aec9c8ef99e1117b4cfe32c640b1682558ba',
    '0005-revisions 84b9b7d8b3905cd4b38eb6845990e9798c165699dcaaba19ef5e58a517e02ea5',
    '0006-sign-in 7e8f30b850ca330386aa639eb48e27b32207744283fef0121b340ec5f9d9fbe7',
    '0007-run-versions 6b372fc70298742a759ae55472e8131ef596491cb87d9ca20e767076977845a1',
    '0008-proposals f17d46b167601f4e851c9efe827e825c4a37d3b903df55529afcdeb39fd22656',
    '0009-key-rotation 38a4b712bcd7c5cba3ce0ef30389b34c35e5218cb18ca1264c25c504ea7193cb',
    '0010-version-provenance afc8015fcf918ca76d5944ad3afc291b3d303ba5142851537727813f351a8988',
    '0011-peoples-memories 5e01f6f168d82c52fcfbd25561abeb8314ddfc2caa2ed5776898fd5b4ad26690',
    '0012-safe-rotation a0a2714002b4100c0dae3eee9db2b468d7cbc225ff2d54dcbaa98b1a4ee14e53',
    '0013-instance-key-seals f663a226787f8caa46aaedb968b56c1e09716a242d75db990d82f5a29a99cf2b',
    '0014-oauth 70ce8d9a1e93a5ee9d86f4b570f5dfb754f3f3e72629b48ac920cb6cd810cc4a',
    '0015-activity-filters 57d88844786c8142b11bf10fd79dc7c08161a40ad7c98e32911d840bc71237e0',
    '0017-vault-members 2b804d67e6da6b0ef00080d3ab693f8688c45484101ddb70f2ef25f3be32a142',
    '0018-record-events 97b23a58e76d31fc9d21b5f7a4c6c805b78664207d1811f932a9d97ca19e7079',
    '0019-lean-activity 6254acb9e7d25a583029f6afeb876c1c7524aaad5d9552d47455ccab052afbda',
    '0020-counted-reads e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '0021-statistics-by-type e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '0022-several-servers 50cefb3c7116cdb327cc0f16b90dec7aaad87ee6e439e76de142b255bf9f6fdb',
    '0023-leaner-rows 7160d4c9b5f526852f6cd77b60d8575748bbfed5466ba294de76b7dc2bcc9b43',
    '0024-reads-apart e87351e24a4ecc1257e7bf5c789c45987f61c8bd3cce9631e77b2ca69616462c',
    '0025-vault-digests 751e980a73c52f6ad0c9cc50f0280b1d6ec74411393e31e6cad944801e278fc1',
  ],
  postgres: [
    '0001-initial dcb4f3383168f706da924980bf7ca01ec36c3fafadc1ea3e45dee51fca3be72d',
    '0002-memory-versions 1c85b74605dea41a5f7278fad79d8709019110ff086ed4fb1ed63aab5c7a5ac8',
    '0003-version-writers 334eedc45340ba75773381d835aee6bc820bc1996102c62a22d5c4a0b022f340',
    '0004-message-integrations 304e70b70a793d50722f1e2766e7aec9c8ef99e1117b4cfe32c640b1682558ba',
    '0005-revisions 84b9b7d8b3905cd4b38eb6845990e9798c165699dcaaba19ef5e58a517e02ea5',
    '0006-sign-in c68befa47adb0d87b27c3f0338a71e39e771cbdde721c98a93ae299be79e4974',
    '0007-run-versions 3d0a452a888e35df6a272e01722245222c5511c33e90e249a1578acda888431d',
    '0008-proposals 859881cd63f4130dbe69ba16a7cf9b10bf02cffa987a7d04b5171b52934d2232',
    '0009-key-rotation cf74a9f62271c10a361a6c945d89a4cbebd2a2dcb3b0acd1f595f57d36a6bbe3',
    '0010-version-provenance afc8015fcf918ca76d5944ad3afc291b3d303ba5142851537727813f351a8988',
    '0011-peoples-memories 75ab0f13f4388975c619b188cd58c10e4c5d644bf810b6f4bb4b6e2e10b518dd',
    '0012-safe-rotation 488c0c2b526e7800ca9c6b5488030fafd03718b68390caa34765c468af448b00',
    '0013-instance-key-seals 8b4ce66649da92c9e3479b20e8389692b82e4c89cee0e5037ece05970e0f4dac',
    '0014-oauth df3cca23ba0bed0d66c9db9f842554e0a66e21106c5dd612e32dc3eae3202e33',
    '0015-activity-filters e5cd741ee1cc8fc36bc9ede241d4b3b29e557e2b3c483d7d294fb5d9cc78fdfc',
    '0017-vault-members 1f8fbd07016051049dc6d5155fc3905951e8e8f824d29cbb2d7a4e18e9047e6b',
    '0018-record-events 97b23a58e76d31fc9d21b5f7a4c6c805b78664207d1811f932a9d97ca19e7079',
    '0019-lean-activity c331d2c7870dd0d5edc5939cfa6fee83f3479d0cb0ba0299e1f92403335de104',
    '0020-counted-reads 3ecb5600f5fff968339bb57d29c16b21d58c108ad54a235bfee17e2048b8f63c',
    '0021-statistics-by-type 1660e82761c8beddc0c321926caac81f446e3940b5e96caf0a1061f0e912ae6e',
    '0022-several-servers 72119e6dcfd91942595038178034237915a266d46608f9a3ec23860a79dfd81c',
    '0023-leaner-rows 1dce28500c21ff496a84b8aec547dc619cb104c30d24162ffe10e81453416be8',
    '0024-reads-apart 6c82a0dcfcacfa6edb7e24d918f230de8d8fd03e9347b4aaae054879ca75877e',
    '0025-vault-digests 86ba62813d60ffc1a734cedda610adacb5771f6ba90b6de92513c24291f5fdd7',
  ],
}

eachDialect('the migrations', (dialect) => {
  it('are the released ones, in the order of their numbers', async () => {
    const db = await openStore(await dialect.freshUrl())
    await migrate(db)
    const applied = sql<{
      line: string
    }>`select "name" || ' ' || "checksum" as "line" from "migrations" order by "name"`
    const { rows } = await applied.execute(db.read)
    expect(rows.map(({ line }) => line)).toEqual(frozen[db.dialect])
    await db.close()
  })
})
