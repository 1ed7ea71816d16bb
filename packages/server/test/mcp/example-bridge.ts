import { serveBridge } from '@holdfast/mcp/stdio'
import { addExamples } from './example-server.ts'

/** What `holdfast mcp` runs, with the examples of the protocol's own harness. */
await serveBridge({
  url: process.env['HOLDFAST_URL'] ?? '',
  key: process.env['HOLDFAST_KEY'],
  switches: { toolsets: ['core'], isReadOnly: false, vault: undefined, isStructured: false },
  version: '0.0.0',
  extend: addExamples,
})
