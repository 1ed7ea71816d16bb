import { expect, it } from 'vitest'
import { openStore } from '../../../test/database.ts'
import { eachDialect } from '../../../test/dialects.ts'
import { migrate } from '../migrate.ts'

/**
 * The SHA-256 of each migration's statements. One that has been applied somewhere never changes: a store that has it would
 * refuse to start. A new migration takes the next number and adds a line at the end of both tables, from what the test prints.
 */
const frozen: Record<'sqlite' | 'postgres', string[]> = {
  sqlite: [
    '0001-initial b540a308f3b0107fe7b06ebdda461a5642ba557bed49562ed5577ef78051e46a',
    '0002-links 276164c388afe5f6d050cb4a63077714836e7146445d6534f7abbbca6c9772c1',
    '0003-tasks b3f6ea4455cf444713c4b293e2543dbd658780687ad7924d715de96c8f29b014',
    '0004-notes 72612baf531357ac90b351f200ea2380a6d159c746387accfd9001c3f55861f0',
    '0005-messages 1e6be73499a42ff3bd9779cbf67a65d0f43696323e30d964d9a4cbec8f0f7dd3',
    '0006-webhooks 19c3c7773da7606841e3e7134af0485dfbb001bc17c13ff74b0a2a1a00d21751',
    '0007-sessions f95506991350e0adc8cfe4ceb756a2df11ac57cc621b72455a9456831b98f06f',
    '0009-jobs 481023f2123a4e56b03b54b5b915f913d8b89237d3227fa8a9ef78753f07b8a8',
    '0010-limits f7f786911c9277aaf3cea8fb88c48949efbff26ae457f65b50009256fee42053',
    '0011-lists 7558b8b557c66837fe52d4c645eaa99de8bb34d56afda3ae43a1f78fbe556f45',
    '0012-vector-model 8b35f0266b114111d7ffd28494c53f8ec1f8c48ffe4d4bbd048de2baed9b314b',
    '0013-transfer 02efef04e63d5ae3dc1b5b7c1b5c2dc7ec82542d5b6f975cc9c19ab72c55a721',
    '0014-session-runs 4f0dc0cff1299853c563b5500ed370af529e37fc60ff814fce5116e56411e567',
    '0015-reverted da5e4829b31fe6c4de37e14fa305f9325e859eb5fbec6e333350be3a2a78e465',
    '0016-browse 4ee23daeb3027a6d20561d0f05a7b2ae8a05f5e172e2504c62df3313ff3a581c',
    '0017-run-calls 3d4296d0c894444c282ee5a0b2d30eef0d3a4ad9241971d1f7ca085bb249d6af',
    '0018-activity 06212b38123d117fac87ea1ca51cd7433eecb63f0c7c0df3342e6c22f0f5696c',
    '0019-sign-in d68d5af70a5111cf64db37109dd52d734e0820ae5b419c8b55ea1796d54dad47',
    '0020-notes-updated 571d4a3c71210aceec32fd11557e0ed253771f21ccbf560317c7b0b7f9020ba5',
    '0021-review 785926671b479839683a2c33738afb7960fda4d60340803ef18bbef2b668b7d9',
    '0022-activity-class 0b7b9c709ac3b646465e734fc632fca11253db9ca5af80c1e4cb272d48d7cd2a',
    '0023-passkeys f3411bebe3f261973dd446b5e86b68e53b52e98b95e0cf14682eaca8782e6728',
    '0025-root-key 6ce697f0d84179a305d0c9e0434df151895f3efa251c02f32bc75edf1ccc1fd6',
    '0026-call-counts 3949c75ec3072668b5bdb2211da4f40259b04ce7963f0517cc587ee2e2c9c263',
    '0027-turn-runs ff2411b1cdf3dde38620d4b143f30a399f2a43fbb2e9be06e918c4d5cd67bb16',
    '0028-activity-look 5221b7fde1d803e77765cab2cd1445ee2cca0f55f7e67eca92817f963b420c12',
  ],
  postgres: [
    '0001-initial 7e1cfa8238e8a4d0a3ca8bc3f869cd9bb9ba9efdee946db0a458440cc3a66bdf',
    '0002-links 45f14cdd5d7d701c7f919441ae23ed1096b52db8e416c1084e98d38c584956a2',
    '0003-tasks 3fe21fd6b98bc55b4885187e19d1c5c9d27c97b97e4d00b2cead74e348db1af9',
    '0004-notes 14886c11b01a9c65b3c70ea79c25f0c5e8c4836cba5898e82ce04b3852d49261',
    '0005-messages d87ab052f7d38617c7c987d26c58786ab4eb5e90a826552bd69737ec0ac07e21',
    '0006-webhooks a69f02c1c82f342715beae2df1245eb1d71fa0758fcf067a56a2d337ca213159',
    '0007-sessions 8931b8a3bbb58e39860001bde7eda7962769c6a3a535fd098f5f3fcafb84e946',
    '0009-jobs ad3de20a6f11d6948f0939b8fcef2cf03ed23b8aa465ac937feb09ad7485d705',
    '0010-limits 46fb5048f691707c9f17ed673fac934e84bef4c0d8ef57e03898c6fb23c71dc4',
    '0011-lists 9dbcd1ac71d1ff1ef10e6f967c074f0c88a3d4bc35f2e131a4d423a9095e8406',
    '0012-vector-model 8b35f0266b114111d7ffd28494c53f8ec1f8c48ffe4d4bbd048de2baed9b314b',
    '0013-transfer 65d735daa45c86330a1196304623aeaed00f9bbe3317cf57c711c93dc50762a3',
    '0014-session-runs db1ba5f2ade87800f3f3df6b9fd18d7a681433d85efbeb6df9e188467dc73b48',
    '0015-reverted 265a07e6a58fff8b4434d208dc659022f4071dac715938e5c22d06d4c162a855',
    '0016-browse a5e148e2e703be494f3a8b6dacd7f56cdea0da749761e2b2a3b771961ddba6f4',
    '0017-run-calls 85c9c6be07099ee121f146730a63fa6111a3f024287aafc2d4712442bfe3fdc4',
    '0018-activity edce0b1c0a4313952dd114e0a84cae6a2ee8a1299d6c570f149b37e3090f702a',
    '0019-sign-in 922d03b369d8faf665dbd38243f9e127721b932e531af9128cc7e86a4b40946d',
    '0020-notes-updated 899679014ddb997a10ccaa1b1979d8a8db9073a4a8242e7398c1d53123488d8f',
    '0021-review b6fd38d4166f5d9133062d530ff4c69c1f0175de2460e7f105df97da62fc9c34',
    '0022-activity-class 237b3d8dc27a99017956d6f1c5f8a9591fe1b0871114a19d752b0118e6a99c2c',
    '0023-passkeys 6d7ebd35d66e4f8b3830de3a3a070d2853366d59dde29563e80d2bc0c4348a1c',
    '0025-root-key aa4926fce08eead3e1637b692ef16e2370d2709551b378de3a0976adfd61d46b',
    '0026-call-counts b505f487d76425926b40eddacc3fe17e6e49df7eb25ecbf21900c8229f4e64f6',
    '0027-turn-runs fa5cc03674ce4a036ae081d59af11f6a09640462c61afff38ed235662323dd6a',
    '0028-activity-look 193f1d0b90c0f128bc9b4430241be9cd15e6f6a069ad08901ed96d63c6694a67',
  ],
}

eachDialect('the migrations', (dialect) => {
  it('are those that were applied elsewhere, in the order of their numbers', async () => {
    const db = await openStore(await dialect.freshUrl())
    await migrate(db)
    const applied = await db.read
      .withTables<{ migrations: { name: string; checksum: string; appliedAt: number } }>()
      .selectFrom('migrations')
      .select(['name', 'checksum'])
      .orderBy('name')
      .execute()
    expect(applied.map(({ name, checksum }) => `${name} ${checksum}`)).toEqual(frozen[db.dialect])
    await db.close()
  })
})
