const titles: Readonly<Record<string, string>> = {
  holdfast: 'Holdfast export',
  chatgpt: 'ChatGPT export',
  claude: 'Claude export',
  'server-memory': 'MCP server-memory',
  mem0: 'mem0',
  notion: 'Notion export',
  'basic-memory': 'basic-memory',
  'agents-md': 'AGENTS.md, CLAUDE.md and similar',
  obsidian: 'Obsidian or a folder of Markdown',
}

/** What people call a format. Unknown ones keep their technical name. */
export const titleOfSource = (name: string) => titles[name] ?? name
