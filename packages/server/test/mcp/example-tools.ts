import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type ContentBlock,
  type InputRequest,
  type InputRequests,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** The tools that the protocol's own harness calls, as described by the scenario that needs them. */
export interface ExampleTool {
  description: string
  properties?: Record<string, { type: 'string'; description: string }>
  run(args: Readonly<Record<string, unknown>>, ctx: ServerContext): ToolAnswer | Promise<ToolAnswer>
}

type ToolAnswer = CallToolResult | InputRequiredResult

/** One pixel, red. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC'
/** A header that announces no samples. */
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA='

const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })

const show = (...content: ContentBlock[]) => ({
  description: 'Answers with content of this kind.',
  run: (): CallToolResult => ({ content }),
})

const pauseMs = 50

export const plainTools: Record<string, ExampleTool> = {
  test_simple_text: show({ type: 'text', text: 'This is a simple text response for testing.' }),
  test_image_content: show({ type: 'image', data: png, mimeType: 'image/png' }),
  test_audio_content: show({ type: 'audio', data: wav, mimeType: 'audio/wav' }),
  test_embedded_resource: show({
    type: 'resource',
    resource: {
      uri: 'test://embedded-resource',
      mimeType: 'text/plain',
      text: 'This is an embedded resource content.',
    },
  }),
  test_multiple_content_types: show(
    { type: 'text', text: 'Multiple content types test:' },
    { type: 'image', data: png, mimeType: 'image/png' },
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: '{"test":"data","value":123}',
      },
    },
  ),
  test_error_handling: {
    description: 'Always fails.',
    run: () => ({ ...say('This tool intentionally returns an error for testing'), isError: true }),
  },
  test_tool_with_logging: {
    description: 'Logs three times while it runs.',
    async run(_args, { mcpReq }) {
      for (const text of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        // oxlint-disable-next-line typescript/no-deprecated -- required by the earlier revision
        await mcpReq.log('info', text)
        await sleep(pauseMs)
      }
      return say('Logged.')
    },
  },
  test_logging_tool: {
    description: 'Logs once, which a client hears only if it asked for it.',
    async run(_args, { mcpReq }) {
      // oxlint-disable-next-line typescript/no-deprecated -- the later revision requires that nothing is sent
      await mcpReq.log('info', 'Running')
      return say('Logged.')
    },
  },
  test_tool_with_progress: {
    description: 'Reports how far it is.',
    async run(_args, { mcpReq }) {
      const { _meta: meta } = mcpReq
      const progressToken = meta?.progressToken
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
        await sleep(pauseMs)
      }
      return say('Done.')
    },
  },
}

const elicit = (message: string, properties: Record<string, unknown>, required: string[]): InputRequest =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required } as never })

const sample = (text: string, maxTokens: number): InputRequest =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens })

/** Asks for what was not yet answered in the requested form, then repeats all answers. */
function ask(description: string, requests: (args: Readonly<Record<string, unknown>>) => InputRequests): ExampleTool {
  return {
    description,
    run(args, { mcpReq: { inputResponses } }) {
      const inputRequests = requests(args)
      const answers = Object.keys(inputRequests).map((key) => inputResponse(inputResponses, key))
      return answers.some(({ kind }) => kind === 'missing')
        ? inputRequired({ inputRequests })
        : say(answers.map((answer) => JSON.stringify(answer)).join('\n'))
    },
  }
}

const string = (description: string) => ({ type: 'string' as const, description })
const nameOnly = [{ name: { type: 'string' } }, ['name']] as const
const choices = ['option1', 'option2', 'option3']
const titled = (kind: string) =>
  ['First', 'Second', 'Third'].map((place, at) => ({ const: `value${at + 1}`, title: `${place} ${kind}` }))

const inputs = {
  user_name: elicit('What is your name?', nameOnly[0], [...nameOnly[1]]),
  client_roots: inputRequired.listRoots(),
}

export const askingTools: Record<string, ExampleTool> = {
  test_sampling: {
    ...ask('Asks the model of the client.', ({ prompt }) => ({ answer: sample(String(prompt), 100) })),
    properties: { prompt: string('What to ask') },
  },
  test_elicitation: {
    ...ask('Asks the user of the client.', ({ message }) => ({
      answer: elicit(String(message), { username: string("User's response"), email: string("User's email address") }, [
        'username',
        'email',
      ]),
    })),
    properties: { message: string('What to ask') },
  },
  test_elicitation_sep1034_defaults: ask('Asks with a default for each field.', () => ({
    answer: elicit(
      'Please look through these',
      {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      },
      [],
    ),
  })),
  test_elicitation_sep1330_enums: ask('Asks for choices in each form.', () => ({
    answer: elicit(
      'Please choose',
      {
        untitledSingle: { type: 'string', enum: choices },
        titledSingle: { type: 'string', oneOf: titled('Option') },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: choices } },
        titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
      },
      [],
    ),
  })),
  test_streaming_elicitation: ask('Asks the user.', () => ({ user_name: inputs.user_name })),
  test_missing_capability: ask('Needs a model of the client.', () => ({ answer: sample('Anything', 10) })),
  test_input_required_result_elicitation: {
    ...ask('Asks the user for a name.', () => ({ user_name: inputs.user_name })),
    run(_args, { mcpReq: { inputResponses } }) {
      const name = acceptedContent(inputResponses, 'user_name')?.['name']
      return typeof name === 'string'
        ? say(`Hello, ${name}!`)
        : inputRequired({ inputRequests: { user_name: inputs.user_name } })
    },
  },
  test_input_required_result_sampling: ask('Asks the model a question.', () => ({
    capital_question: sample('What is the capital of France?', 100),
  })),
  test_input_required_result_list_roots: ask('Asks for the roots.', () => ({ client_roots: inputs.client_roots })),
  test_input_required_result_capabilities: {
    description: 'Asks for what the client can do.',
    run(_args, { mcpReq: { envelope } }) {
      const capabilities = (envelope as Record<string, object> | undefined)?.[
        'io.modelcontextprotocol/clientCapabilities'
      ]
      return inputRequired({
        inputRequests: {
          ...(capabilities !== undefined && 'elicitation' in capabilities && { user_name: inputs.user_name }),
          ...(capabilities !== undefined && 'sampling' in capabilities && { greeting: sample('Say hello', 50) }),
        },
      })
    },
  },
}

/** The state of a conversation goes to the client and back. A signature shows whether it was changed. */
const states = createRequestStateCodec<{ step: number }>({ key: randomBytes(32) })

/** One round per step, each with its questions. */
function askInRounds(description: string, ...rounds: InputRequests[]): ExampleTool {
  return {
    description,
    async run(_args, ctx) {
      const { inputResponses } = ctx.mcpReq
      const state = ctx.mcpReq.requestState<string>()
      let step = state === undefined ? 0 : (await verify(state, ctx)).step
      const asked = Object.keys(rounds[step] ?? {})
      const isAnswered = asked.every((key) => inputResponse(inputResponses, key).kind !== 'missing')
      if (state !== undefined && isAnswered) step++
      const inputRequests = rounds[step]
      if (inputRequests === undefined) return say('state-ok')
      return inputRequired({ inputRequests, requestState: await states.mint({ step }, ctx) })
    },
  }
}

async function verify(state: string, ctx: ServerContext): Promise<{ step: number }> {
  try {
    return await states.verify(state, ctx)
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The request state is not what this server made')
  }
}

const confirm = { confirm: elicit('Please confirm', { ok: { type: 'boolean' } }, ['ok']) }

export const statefulTools: Record<string, ExampleTool> = {
  test_input_required_result_request_state: askInRounds('Asks, and remembers that it did.', confirm),
  test_input_required_result_tampered_state: askInRounds('Takes back only a state of its own.', confirm),
  test_input_required_result_multiple_inputs: askInRounds('Asks three things at once.', {
    ...inputs,
    greeting: sample('Generate a greeting', 50),
  }),
  test_input_required_result_multi_round: askInRounds(
    'Asks twice.',
    { step1: elicit('Step 1: What is your name?', nameOnly[0], [...nameOnly[1]]) },
    { step2: elicit('Step 2: What is your favorite color?', { color: { type: 'string' } }, ['color']) },
  ),
}
