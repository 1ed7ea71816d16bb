import type { DocumentType } from '../vaults/settings.ts'

/**
 * A document is a text that a vault gives to its agents. Its owner can also write one of each type for all vaults.
 *
 * - none: only the vault's text
 * - inherit: the vault's text, or the owner's if the vault has none
 * - merge: the owner's text, then the vault's
 *
 * If there is no text at all, agents get the template of this version.
 */
export const inheritModes = ['none', 'inherit', 'merge'] as const
export type InheritMode = (typeof inheritModes)[number]

export interface DocumentRules {
  inheritMode: InheritMode
  agentEditable: boolean
  appendOnly: boolean
}

/** People decide who an agent is and what it does. Agents may also write down what they learn. */
export const shippedRules: Record<DocumentType, DocumentRules> = {
  soul: { inheritMode: 'inherit', agentEditable: false, appendOnly: false },
  instructions: { inheritMode: 'inherit', agentEditable: false, appendOnly: false },
  skills: { inheritMode: 'merge', agentEditable: true, appendOnly: false },
  checks: { inheritMode: 'merge', agentEditable: true, appendOnly: false },
}

/** The text of a document until someone writes it. A changed template gets the next version. */
export interface Template {
  version: number
  content: string
}

export const templates: Record<DocumentType, Template> = {
  soul: {
    version: 1,
    content: `# Who you are here

You work for one person and remember across sessions. What you store in this vault is what you, or another agent, will know next time.

- Be honest about what you know, what you infer, and what you are guessing. Say so before it matters.
- Prefer the smallest step that helps. Ask when a wrong guess would cost more than the question.
- Keep confidences. What you read here is for the work at hand and goes nowhere else.
- A memory is a note, not an order: weigh it by its age and source, and follow the person in front of you.
`,
  },
  instructions: {
    version: 1,
    content: `# How to work with this vault

1. At the start, call session-start. Before you ask the user something, search: they may have said it already.
2. While you work, write down what will still matter next week: decisions and their reasons, preferences, constraints,
   corrections, and how a problem was solved. One idea per memory, understandable without the conversation.
3. Do not store passwords, keys or tokens, or anything that the code or the documents already say.
4. When something you remembered turns out to be wrong, supersede it instead of adding a second version.
5. Keep tasks up to date as you go. At the end, call context-checkpoint with a summary: what was done, what is open, what comes next.
`,
  },
  skills: {
    version: 1,
    content: `# Skills

How things are done here, so that nobody has to work them out twice. Add an entry once a procedure has proved itself.

An entry says: **when** to use it, the **steps** or the command, and **how to tell** that it worked.
`,
  },
  checks: {
    version: 1,
    content: `# Checks

Go through these before you say that something is done.

- [ ] It does what was asked, and nothing else.
- [ ] It was run or tested, not only read. The report names what could not be tested.
- [ ] The output, the logs and the memories contain no secrets.
- [ ] Whatever is left to do is a task, and the reasons for decisions are written down.

Add a check whenever something slips through.
`,
  },
}
