import type { Extend } from '@holdfast/mcp/server'
import {
  acceptedContent,
  inputRequired,
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
  type ReadResourceResult,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { askingTools, plainTools, png, statefulTools, type ExampleTool } from './example-tools.ts'

/**
 * The protocol's own harness calls tools, reads resources and gets prompts that a server under test must have. They are added here to
 * those of the service, behind the same checks. All other calls go to the service's own handlers.
 */
export const addExamples: Extend = (server, own) => {
  server.registerCapabilities({ completions: {}, logging: {}, resources: { subscribe: true } })
  server.setRequestHandler('tools/list', async () => ({
    tools: [...(await own['tools/list']()).tools, ...Object.entries(tools).map(describeTool)],
  }))
  server.setRequestHandler('tools/call', (request, ctx) => {
    const tool = tools[request.params.name]
    return tool === undefined ? own['tools/call'](request, ctx) : tool.run(request.params.arguments ?? {}, ctx)
  })
  server.setRequestHandler('resources/list', async (request, ctx) => ({
    resources: [
      ...(await own['resources/list'](request, ctx)).resources,
      ...Object.keys(resources).map((uri) => ({ uri, name: uri })),
    ],
  }))
  server.setRequestHandler('resources/templates/list', () => {
    const { resourceTemplates } = own['resources/templates/list']()
    return { resourceTemplates: [...resourceTemplates, { uriTemplate: 'test://template/{id}/data', name: 'template' }] }
  })
  server.setRequestHandler(
    'resources/read',
    (request, ctx) => readExample(request.params.uri) ?? own['resources/read'](request, ctx),
  )
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.setRequestHandler('prompts/list', () => ({
    prompts: [...own['prompts/list']().prompts, ...prompts.map(({ print: _print, ...told }) => told)],
  }))
  server.setRequestHandler('prompts/get', (request, ctx) => {
    const prompt = prompts.find(({ name }) => name === request.params.name)
    return prompt === undefined ? own['prompts/get'](request, ctx) : prompt.print(request.params.arguments ?? {}, ctx)
  })
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [] } }))
}

const tools: Record<string, ExampleTool> = { ...plainTools, ...askingTools, ...statefulTools }

const describeTool = ([name, { description, properties = {} }]: [string, ExampleTool]) => ({
  name,
  description,
  inputSchema: { type: 'object' as const, properties, required: Object.keys(properties) },
})

const resources: Record<string, { mimeType: string } & ({ text: string } | { blob: string })> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: png },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Nothing happens here.' },
}

function readExample(uri: string): ReadResourceResult | undefined {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  const found =
    id === undefined
      ? resources[uri]
      : { mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }
  return found === undefined ? undefined : { contents: [{ uri, ...found }] }
}

interface ExamplePrompt extends Prompt {
  print(args: Readonly<Record<string, string>>, ctx: ServerContext): GetPromptResult | InputRequiredResult
}

const ofUser = (content: GetPromptResult['messages'][number]['content']) => ({ role: 'user' as const, content })
const text = (words: string) => ofUser({ type: 'text', text: words })
const required = (name: string) => ({ name, description: 'For the test.', required: true })

const prompts: ExamplePrompt[] = [
  {
    name: 'test_simple_prompt',
    description: 'Says one thing.',
    print: () => ({ messages: [text('This is a simple prompt for testing.')] }),
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'Says its arguments.',
    arguments: [required('arg1'), required('arg2')],
    print: ({ arg1, arg2 }) => ({ messages: [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'Holds a resource.',
    arguments: [required('resourceUri')],
    print: ({ resourceUri: uri = '' }) => ({
      messages: [
        ofUser({
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        }),
        text('Please process the embedded resource above.'),
      ],
    }),
  },
  {
    name: 'test_prompt_with_image',
    description: 'Holds an image.',
    print: () => ({
      messages: [ofUser({ type: 'image', data: png, mimeType: 'image/png' }), text('Please analyze the image above.')],
    }),
  },
  {
    name: 'test_input_required_result_prompt',
    description: 'Asks the user before it says anything.',
    print(_args, { mcpReq: { inputResponses } }) {
      const context = acceptedContent(inputResponses, 'user_context')?.['context']
      if (typeof context === 'string') return { messages: [text(`With this context: ${context}`)] }
      const user_context = inputRequired.elicit({
        message: 'What context should the prompt use?',
        requestedSchema: { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] },
      })
      return inputRequired({ inputRequests: { user_context } })
    },
  },
]
