import { parseSync } from 'rolldown/utils'

/**
 * The queries in a source file, and the columns whose values they fix. Reads the syntax, so a name counts only where it is a condition.
 */

/** A table in a query. `name` is undefined if the code names the table by a variable. */
export interface TableUse {
  name: string | undefined
  /** Columns of this table that the query compares with a value, or with a column of another query. */
  fixed: Set<string>
  /** It isn't the first table of its query. */
  isJoined: boolean
  line: number
}

interface Node {
  type: string
  start: number
  end: number
  parent?: Node
  [key: string]: unknown
}

interface Call {
  method: string
  args: Node[]
}

const openings = new Set(['selectFrom', 'updateTable', 'deleteFrom', 'mergeInto'])
const joins = /^((inner|left|right|full|cross)Join(Lateral)?|using|from)$/

/** Kysely queries, raw SQL, and the rows that an insert changes on a conflict. */
export function tableUsesIn(path: string, text: string): TableUse[] {
  const nodes = nodesOf(parseSync(path, text).program as unknown as Node)
  const withs = nodes.filter((node) => /^with(Recursive)?$/.test(methodOf(node)))
  const common = new Set(
    withs
      .flatMap((node) => argsOf(node).slice(0, 1))
      .flatMap(stringOf)
      .map(withoutColumns),
  )
  const file = { text, common, lists: listsIn(nodes) }
  return nodes.flatMap((node) => {
    const uses = [...usesInQuery(node, file), ...usesInUpsert(node, file), ...usesInSql(node, file)]
    return uses.map((use) => ({ ...use, line: text.slice(0, node.start).split('\n').length }))
  })
}

interface File {
  text: string
  /** Names of common table expressions, whose queries count on their own. */
  common: Set<string>
  /** Constant lists of strings, by name. */
  lists: Map<string, string[]>
}

type Use = Omit<TableUse, 'line'>

function usesInQuery(node: Node, { common }: File): Use[] {
  const first = argsOf(node)[0]
  if (!opensQuery(node) || first === undefined) return []
  const chain = chainFrom(node)
  const joined = chain.filter(({ method }) => joins.test(method))
  const main = tableOf(first)
  const others = joined.flatMap(({ args }) => args.slice(0, 1)).map(tableOf)
  const tables = [main, ...others].filter(({ name, isSubquery }) => !isSubquery && !common.has(name ?? ''))
  const own = new Set(tables.map(({ alias }) => alias))
  const qualified = (column: string) => (column.includes('.') ? column : `${main.alias}.${column}`)
  // A column of another query: of the one around this one, of a subquery, or of a common table expression.
  const isForeign = (column: string) => !own.has(column.split('.')[0] ?? '')

  const wheres = chain.flatMap(conditionsOf)
  const fixed = new Set(wheres.flatMap(valuesOf).map(qualified))
  const pairs = [...wheres, ...joined].flatMap(pairsOf).map((pair) => pair.map(qualified))
  const spread = () => {
    for (const _ of pairs)
      for (const [one = '', other = ''] of pairs) {
        if (fixed.has(one) || isForeign(one)) fixed.add(other)
        if (fixed.has(other) || isForeign(other)) fixed.add(one)
      }
  }
  const add = (some: Call[]) => {
    for (const column of some.flatMap(valuesOf)) fixed.add(qualified(column))
    spread()
  }
  add(joined.filter(({ method }) => !method.startsWith('left')))
  const fixedInMain = new Set(fixed)
  // A left join keeps all rows of its left side, so its own values fix only the joined table.
  add(joined.filter(({ method }) => method.startsWith('left')))
  return tables.map((table) => ({
    name: table.name,
    isJoined: table !== main,
    fixed: columnsOf(table.alias, table === main ? fixedInMain : fixed),
  }))
}

const columnsOf = (alias: string, columns: Set<string>) =>
  new Set(
    [...columns].filter((column) => column.startsWith(`${alias}.`)).map((column) => column.slice(alias.length + 1)),
  )

/** `insert … on conflict (columns) do update` changes the row with these values. */
function usesInUpsert(node: Node, { lists }: File): Use[] {
  const table = argsOf(node)[0]
  if (methodOf(node) !== 'insertInto' || table === undefined) return []
  const conflicts = chainFrom(node).filter(({ method }) => method === 'onConflict')
  return conflicts.flatMap(({ args }) => {
    const inner = args.flatMap((arg) => nodesOf(arg))
    if (!inner.some((call) => methodOf(call) === 'doUpdateSet')) return []
    const target = inner.filter((call) => /^columns?$/.test(methodOf(call))).flatMap((call) => argsOf(call))
    const columns = target.flatMap((arg) => lists.get(String(arg['name'])) ?? nodesOf(arg).flatMap(stringOf))
    return [{ name: tableOf(table).name, isJoined: false, fixed: new Set(columns) }]
  })
}

function usesInSql(node: Node, { text }: File): Use[] {
  if (node.type !== 'TaggedTemplateExpression' || (node['tag'] as Node)['name'] !== 'sql') return []
  const quasi = node['quasi'] as Node
  // Without what is inserted: a part of the condition may be missing.
  let statement = text.slice(quasi.start, quasi.end)
  for (const part of (quasi['expressions'] as Node[]).toReversed())
    statement = `${statement.slice(0, part.start - quasi.start)}${statement.slice(part.end - quasi.start)}`
  const fixed = new Set([...statement.matchAll(/"(\w+)" = \$\{\}/g)].map(([, column = '']) => column))
  const named = statement.matchAll(/\b(?:from|into|update|join)\s+(?:"(\w+)"|\$\{)/gi)
  return [...named].map(([, name]) => ({ name, isJoined: false, fixed }))
}

/** The call if it adds a condition to the query, and those that `$if` adds. */
function conditionsOf(call: Call): Call[] {
  if (call.method !== '$if') return /^where(Ref)?$/.test(call.method) ? [call] : []
  const added = call.args.slice(1).flatMap((arg) => nodesOf(arg, (node) => !opensQuery(node)))
  return added.map((node) => ({ method: methodOf(node), args: argsOf(node) })).flatMap(conditionsOf)
}

/** Columns that a condition compares with a value. */
function valuesOf({ method, args }: Call): string[] {
  if (method === 'whereRef') return []
  if (method === 'where') return [args, ...args.flatMap((arg) => callsIn(arg, isDirect))].flatMap(comparedIn)
  return args
    .slice(1)
    .flatMap((arg) => callsIn(arg, (call) => methodOf(call) === 'on'))
    .flatMap(comparedIn)
}

const comparedIn = ([column, operator]: Node[]): string[] =>
  column !== undefined && operator !== undefined && /^(=|in)$/.test(stringOf(operator)[0] ?? '') ? stringOf(column) : []

/** Pairs of columns that a condition compares with each other. */
function pairsOf({ method, args }: Call): string[][] {
  const pairIn = ([column, operator, other]: Node[]) =>
    column && operator && other && stringOf(operator)[0] === '=' ? [[...stringOf(column), ...stringOf(other)]] : []
  if (method === 'whereRef') return pairIn(args)
  if (!joins.test(method)) return []
  const short = args.slice(1).flatMap(stringOf)
  if (short.length === 2) return [short]
  return args
    .slice(1)
    .flatMap((arg) => callsIn(arg, (call) => methodOf(call) === 'onRef'))
    .flatMap(pairIn)
}

/** Arguments of calls in a callback. Not those in alternatives, negations and other queries, which don't narrow this one. */
const callsIn = (callback: Node, isWanted: (call: Node) => boolean): Node[][] =>
  nodesOf(callback, (node) => !opensQuery(node) && !/^(or|not|exists)$/.test(methodOf(node)))
    .filter(isWanted)
    .map(argsOf)

const isDirect = (call: Node) => (call['callee'] as Node | undefined)?.type === 'Identifier'

/** The calls chained to this one. */
function chainFrom(node: Node): Call[] {
  const calls: Call[] = []
  let current = node
  for (;;) {
    const member = current.parent
    const call = member?.parent
    if (member?.type !== 'MemberExpression' || member['object'] !== current) return calls
    if (call?.type !== 'CallExpression' || call['callee'] !== member) return calls
    calls.push({ method: methodOf(call), args: argsOf(call) })
    current = call
  }
}

interface Table {
  name: string | undefined
  alias: string
  /** Its tables count on their own. */
  isSubquery: boolean
}

function tableOf(node: Node): Table {
  const [text] = stringOf(node)
  const isSubquery = node.type === 'ArrowFunctionExpression' || methodOf(node) === 'as'
  if (text === undefined) return { name: undefined, alias: '', isSubquery }
  const [name = '', alias = name] = text.split(' as ')
  return { name, alias, isSubquery }
}

const withoutColumns = (name: string) => name.replace(/\(.*/, '')

/** `const keys = ['userId', 'id'] as const` */
function listsIn(nodes: Node[]): Map<string, string[]> {
  const constants = nodes.filter(({ type, init }) => type === 'VariableDeclarator' && isNode(init))
  return new Map(
    constants.flatMap(({ id, init }) => {
      const { type, expression } = init as Node
      const list = type === 'TSAsExpression' ? (expression as Node) : (init as Node)
      return list.type === 'ArrayExpression'
        ? [[String((id as Node)['name']), (list['elements'] as Node[]).filter(isNode).flatMap(stringOf)] as const]
        : []
    }),
  )
}

/** `db.selectFrom()`, or `selectFrom()` in a callback. */
const opensQuery = (node: Node) => openings.has(methodOf(node)) && (!isDirect(node) || methodOf(node) === 'selectFrom')

function stringOf(node: Node): string[] {
  return node.type === 'Literal' && typeof node['value'] === 'string' ? [node['value']] : []
}

function methodOf(node: Node): string {
  if (node.type !== 'CallExpression') return ''
  const callee = node['callee'] as Node
  const name = callee.type === 'MemberExpression' ? (callee['property'] as Node) : callee
  return name.type === 'Identifier' ? String(name['name']) : ''
}

const argsOf = (node: Node): Node[] => (node.type === 'CallExpression' ? (node['arguments'] as Node[]) : [])

/** The node and everything in it, except what `isWanted` leaves out. */
function nodesOf(node: Node, isWanted: (node: Node) => boolean = () => true): Node[] {
  if (!isWanted(node)) return []
  const children = Object.entries(node).flatMap(([key, value]) => (key === 'parent' ? [] : [value].flat()))
  return [
    node,
    ...children.filter(isNode).flatMap((child) => {
      child.parent = node
      return nodesOf(child, isWanted)
    }),
  ]
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
