import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest'
import { openApiDocument } from '../src/api/openapi.ts'
import { routes } from '../src/api/registry.ts'
import { useTestApp } from './app.ts'
import { makeUserWithAgent } from './factories.ts'

/**
 * Clients that others' generators print from the OpenAPI document: each is compiled, writes a memory and finds it. A generator or
 * language that this machine can't get is skipped, with what it said.
 */

let folder: string
let env: NodeJS.ProcessEnv
const execute = promisify(execFile)
const test = useTestApp()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-generated-'))
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(openApiDocument(routes, '0.1.0')))
  const { key } = await makeUserWithAgent(test())
  env = {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
    NODE_OPTIONS: '',
    URL: await test().app.listen(),
    KEY: key,
  }
})

afterAll(() => rm(folder, { recursive: true, force: true }))

async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  const { stdout } = await execute(command, args, { cwd, env, maxBuffer: 256 * 2 ** 20 })
  return stdout
}

/** Installs a generator, or skips the test. */
async function installOrSkip(ctx: TestContext, install: () => Promise<unknown>): Promise<void> {
  try {
    await install()
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    ctx.skip(`cannot be installed here: ${(stderr ?? message).trim().slice(-500)}`)
  }
}

/** It's a Java program, which PyPI also has. */
async function installOpenApiGenerator(ctx: TestContext, place: string): Promise<void> {
  await installOrSkip(ctx, async () => {
    await run(place, 'java', '-version')
    await run(place, 'python3', '-m', 'venv', 'venv')
    await run(place, 'venv/bin/pip', 'install', '--quiet', 'openapi-generator-cli==7.26.0')
  })
}

async function makePlace(name: string, files: Record<string, string>): Promise<string> {
  const place = join(folder, name)
  await mkdir(place)
  for (const [file, text] of Object.entries(files)) await writeFile(join(place, file), text)
  return place
}

const timeout = 1_200_000

it('openapi-python-client prints Python that works, and leaves nothing out', { timeout }, async (ctx) => {
  const place = await makePlace('openapi-python-client', {
    'config.yaml': 'post_hooks: []\n',
    'use.py': `import os
from holdfast_client import AuthenticatedClient
from holdfast_client.api.agent import search_memories, write_memory
from holdfast_client.models import SearchMemoriesInput, WriteMemoryInput

client = AuthenticatedClient(base_url=os.environ["URL"], token=os.environ["KEY"])
write_memory.sync(client=client, body=WriteMemoryInput(content="Tomatoes get water before nine."))
print(search_memories.sync(client=client, body=SearchMemoriesInput(query="tomatoes")).memories[0].content)
`,
  })
  await installOrSkip(ctx, async () => {
    await run(place, 'python3', '-m', 'venv', 'venv')
    await run(place, 'venv/bin/pip', 'install', '--quiet', 'openapi-python-client==0.29.1')
  })
  const generator = ['generate', '--path', '../openapi.json', '--output-path', 'client', '--config', 'config.yaml']
  expect(await run(place, 'venv/bin/openapi-python-client', ...generator)).not.toMatch(/unable|warning/i)
  await run(place, 'venv/bin/pip', 'install', '--quiet', './client')
  expect(await run(place, 'venv/bin/python', 'use.py')).toBe('Tomatoes get water before nine.\n')
})

it('openapi-generator prints Python that works', { timeout }, async (ctx) => {
  const place = await makePlace('openapi-generator-python', {
    'use.py': `import os
import openapi_client as api

client = api.AgentApi(api.ApiClient(api.Configuration(host=os.environ["URL"], access_token=os.environ["KEY"])))
client.write_memory(api.WriteMemoryInput(content="Peas climb on nets."))
print(client.search_memories(api.SearchMemoriesInput(query="peas")).memories[0].content)
`,
  })
  await installOpenApiGenerator(ctx, place)
  await run(
    place,
    'venv/bin/openapi-generator-cli',
    'generate',
    '-i',
    '../openapi.json',
    '-g',
    'python',
    '-o',
    'client',
  )
  await run(place, 'venv/bin/python', '-m', 'compileall', '-q', 'client')
  await run(place, 'venv/bin/pip', 'install', '--quiet', './client')
  expect(await run(place, 'venv/bin/python', 'use.py')).toBe('Peas climb on nets.\n')
})

it('openapi-generator prints Go that works', { timeout }, async (ctx) => {
  const place = await makePlace('openapi-generator-go', {
    'go.mod': `module example.org/use

go 1.24

require example.org/client v0.0.0
replace example.org/client => ./client
`,
    'main.go': `package main

import (
	"context"
	"fmt"
	"os"

	api "example.org/client"
)

func main() {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Getenv("URL")}}
	client := api.NewAPIClient(configuration).AgentAPI
	ctx := context.WithValue(context.Background(), api.ContextAccessToken, os.Getenv("KEY"))
	if _, _, err := client.WriteMemory(ctx).WriteMemoryInput(*api.NewWriteMemoryInput("Kale likes frost.")).Execute(); err != nil {
		panic(err)
	}
	found, _, err := client.SearchMemories(ctx).SearchMemoriesInput(*api.NewSearchMemoriesInput("kale")).Execute()
	if err != nil {
		panic(err)
	}
	fmt.Println(*found.Memories[0].Content)
}
`,
  })
  await installOpenApiGenerator(ctx, place)
  const target = ['-g', 'go', '-o', 'client', '--additional-properties', 'withGoMod=false,packageName=api']
  await run(place, 'venv/bin/openapi-generator-cli', 'generate', '-i', '../openapi.json', ...target)
  await writeFile(join(place, 'client/go.mod'), 'module example.org/client\n\ngo 1.24\n')
  await rm(join(place, 'client/test'), { recursive: true, force: true })
  await installOrSkip(ctx, () => run(place, 'go', 'mod', 'tidy'))
  expect(await run(place, 'go', 'run', '.')).toBe('Kale likes frost.\n')
})

it('openapi-generator prints Java that works', { timeout }, async (ctx) => {
  const place = await makePlace('openapi-generator-java', {
    'Use.java': `import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AgentApi;
import org.openapitools.client.auth.HttpBearerAuth;
import org.openapitools.client.model.SearchMemoriesInput;
import org.openapitools.client.model.WriteMemoryInput;

public class Use {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient().setBasePath(System.getenv("URL"));
    // The document has more than one scheme with a bearer token.
    ((HttpBearerAuth) client.getAuthentication("agentKey")).setBearerToken(System.getenv("KEY"));
    AgentApi agent = new AgentApi(client);
    agent.writeMemory(new WriteMemoryInput().content("Cress needs no soil."), null);
    System.out.println(agent.searchMemories(new SearchMemoriesInput().query("cress"), null).getMemories().get(0).getContent());
    System.exit(0);
  }
}
`,
  })
  await installOpenApiGenerator(ctx, place)
  const target = ['-g', 'java', '-o', 'client']
  await run(place, 'venv/bin/openapi-generator-cli', 'generate', '-i', '../openapi.json', ...target)
  const client = join(place, 'client')
  // The libraries of the generated client, and where they are.
  const resolve = ['-q', '-B', 'dependency:resolve', 'dependency:build-classpath', '-Dmdep.outputFile=classpath']
  await installOrSkip(ctx, () => run(client, 'mvn', ...resolve))
  await run(client, 'mvn', '-q', '-B', 'compile')
  const classpath = `client/target/classes:${await readFile(join(client, 'classpath'), 'utf8')}`
  expect(await run(place, 'java', '-cp', classpath, 'Use.java')).toBe('Cress needs no soil.\n')
})

it('openapi-generator prints Rust that works', { timeout }, async (ctx) => {
  const place = await makePlace('openapi-generator-rust', {
    'Cargo.toml': `[package]
name = "use"
version = "0.0.0"
edition = "2021"

[dependencies]
openapi = { path = "client", default-features = false }
tokio = { version = "1", features = ["macros", "rt"] }
`,
  })
  await mkdir(join(place, 'src'))
  await writeFile(
    join(place, 'src/main.rs'),
    `use openapi::apis::agent_api::{search_memories, write_memory};
use openapi::apis::configuration::Configuration;
use openapi::models::{SearchMemoriesInput, WriteMemoryInput};
use std::env::var;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut configuration = Configuration::new();
    configuration.base_path = var("URL").unwrap();
    configuration.bearer_access_token = var("KEY").ok();
    let memory = WriteMemoryInput::new("Rue keeps cats away.".to_string());
    write_memory(&configuration, memory, None).await.unwrap();
    let query = SearchMemoriesInput::new("rue".to_string());
    let found = search_memories(&configuration, query, None).await.unwrap();
    println!("{}", found.memories[0].content.as_ref().unwrap());
}
`,
  )
  await installOpenApiGenerator(ctx, place)
  const target = ['-g', 'rust', '-o', 'client']
  await run(place, 'venv/bin/openapi-generator-cli', 'generate', '-i', '../openapi.json', ...target)
  await installOrSkip(ctx, () => run(place, 'cargo', 'fetch', '--quiet'))
  expect(await run(place, 'cargo', 'run', '--quiet')).toBe('Rue keeps cats away.\n')
})

it('oapi-codegen prints Go that works', { timeout }, async (ctx) => {
  const place = await makePlace('oapi-codegen', {
    'go.mod': 'module example.org/use\n\ngo 1.24\n',
    'config.yaml': 'package: api\noutput: api/api.go\ngenerate: {models: true, client: true}\n',
    'main.go': `package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example.org/use/api"
)

func main() {
	client, err := api.NewClientWithResponses(os.Getenv("URL"), api.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
			return nil
		}))
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	written := api.WriteMemoryInput{Content: "Beans need poles."}
	if _, err := client.WriteMemoryWithResponse(ctx, &api.WriteMemoryParams{}, written); err != nil {
		panic(err)
	}
	found, err := client.SearchMemoriesWithResponse(ctx, &api.SearchMemoriesParams{}, api.SearchMemoriesInput{Query: "beans"})
	if err != nil {
		panic(err)
	}
	fmt.Println(*found.JSON200.Memories[0].Content)
}
`,
  })
  await mkdir(join(place, 'api'))
  const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
  await installOrSkip(ctx, () => run(place, 'go', 'run', generator, '-version'))
  await run(place, 'go', 'run', generator, '-config', 'config.yaml', '../openapi.json')
  await run(place, 'go', 'mod', 'tidy')
  await run(place, 'go', 'vet', './...')
  expect(await run(place, 'go', 'run', '.')).toBe('Beans need poles.\n')
})

it('openapi-typescript prints types with which openapi-fetch works', { timeout }, async (ctx) => {
  const place = await makePlace('openapi-typescript', {
    'package.json': '{ "type": "module" }',
    'use.ts': `import createClient from 'openapi-fetch'
import type { paths } from './schema.d.ts'

const { URL: baseUrl = '', KEY: key = '' } = process.env
const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } })
await client.POST('/api/agent/write-memory', { body: { content: 'Leeks want sand.', summary: null } })
const { data } = await client.POST('/api/agent/search-memories', { body: { query: 'leeks' } })
console.log(data?.memories[0]?.content)
`,
  })
  const packages = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3', '@types/node@24']
  await installOrSkip(ctx, () => run(place, 'npm', 'install', '--no-audit', '--no-fund', ...packages))
  await run(
    place,
    'npx',
    'openapi-typescript',
    '../openapi.json',
    '-o',
    'schema.d.ts',
    '--default-non-nullable',
    'false',
  )
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--allowImportingTsExtensions']
  await run(place, 'npx', 'tsc', ...options, 'use.ts')
  expect(await run(place, 'node', 'use.ts')).toBe('Leeks want sand.\n')
})
