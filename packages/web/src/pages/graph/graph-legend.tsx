import { Text, Title, useComputedColorScheme } from '@mantine/core'
import classes from './graph-page.module.css'
import { schemeOf } from './graph-look.ts'
import { kindOf, titleOfMapRelation, type MapRelation, type NodeKind, type Shown } from './graph-model.ts'
import { NodeMark, titleOfKind } from './node-mark.tsx'

/** Explains the shapes and colors that are on the map. */
export function GraphLegend({ shown }: { shown: Shown }) {
  const nodes = [...shown.nodes.values()]
  const kinds = [...new Set(nodes.map(kindOf))].toSorted((a, b) => titleOfKind(a).localeCompare(titleOfKind(b)))
  const relations = [...new Set(Array.from(shown.edges.values(), ({ relationType }) => relationType))].toSorted()
  return (
    <section aria-label="Legend">
      <Title order={2} size="h3" mb="xs">
        Nodes
      </Title>
      <ul className={classes.legend}>
        {kinds.map((kind) => (
          <KindEntry key={kind} kind={kind} />
        ))}
        {nodes.some(({ importance }) => importance === 5) && (
          <li>
            <NodeMark kind="fact" hasRing /> Vital (importance 5)
          </li>
        )}
        {nodes.some(({ live }) => !live) && (
          <li>
            <NodeMark kind="fact" isBroken /> No longer current
          </li>
        )}
      </ul>
      <Text size="xs" c="dimmed" mt={6}>
        Larger nodes have more links.
      </Text>
      {relations.length > 0 && (
        <>
          <Title order={2} size="h3" mt="md" mb="xs">
            Links
          </Title>
          <ul className={classes.legend}>
            {relations.map((relation) => (
              <RelationEntry key={relation} relation={relation} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

const KindEntry = ({ kind }: { kind: NodeKind }) => (
  <li>
    <NodeMark kind={kind} /> {titleOfKind(kind)}
  </li>
)

function RelationEntry({ relation }: { relation: MapRelation }) {
  return (
    <li>
      <RelationMark relation={relation} /> {titleOfMapRelation(relation)}
    </li>
  )
}

export function RelationMark({ relation }: { relation: MapRelation }) {
  const { edges } = schemeOf(useComputedColorScheme('light'))
  const isZigzag = relation === 'contradicts'
  const hasArrow = !isZigzag && relation !== 'about'
  return (
    <svg width={26} height={10} viewBox="0 0 26 10" aria-hidden style={{ flex: 'none' }}>
      <path
        d={isZigzag ? 'M1 8L5 2L9 8L13 2L17 8L21 2L25 8' : hasArrow ? 'M1 5H19' : 'M1 5H25'}
        fill="none"
        stroke={edges[relation]}
        strokeWidth={2}
      />
      {hasArrow && <path d="M18 1L25 5L18 9Z" fill={edges[relation]} />}
    </svg>
  )
}
