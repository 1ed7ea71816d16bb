import { MultiDirectedGraph } from 'graphology'
import { Sigma } from 'sigma'
import type { CameraState } from 'sigma/types'
import { boxOfNode, drawHover, drawLabel, placesOfLabel, type Drawn } from './draw-hover.ts'
import {
  lookOfEdge,
  lookOfNode,
  mix,
  scaleOf,
  schemeOf,
  type EdgeData,
  type NodeData,
  type NodeLook,
  type Scale,
  type SchemeName,
} from './graph-look.ts'
import { neighborsIn, titleOfMapRelation, type MapNode, type Shown } from './graph-model.ts'
import { holdView, widenView, settings } from './scene-settings.ts'
import { createLayout } from './layout.ts'
import { placeLabels, type Box, type Label, type Line } from './place-labels.ts'
import { type Place, seedPlaces } from './positions.ts'
import { listenToPointer, type PointerEvents } from './scene-pointer.ts'

export interface Marks {
  /** The node in the side panel, or reached by keys. */
  currentId: string | undefined
  path: ReadonlySet<string>
  pinned: ReadonlySet<string>
}

export interface SceneEvents extends Pick<
  PointerEvents,
  'onChoose' | 'onChooseLink' | 'onExpand' | 'onMenu' | 'onLeave'
> {
  /** A node was dragged to a new place. */
  onPlace: (id: string) => void
  /** The layout has finished. */
  onSettled: (places: ReadonlyMap<string, Place>) => void
}

interface SceneOptions {
  /** No animations. */
  isStill: boolean
  /** Always shows the whole graph; wheel and touch scroll the page. */
  isWhole?: boolean
}

/** More names at once would overlap. */
const maxNames = 30
const moveMs = 180

/** The map. Sigma draws it, a worker computes the layout. */
export class GraphScene {
  readonly #container: HTMLElement
  readonly #events: SceneEvents
  readonly #isStill: boolean
  readonly #graph = new MultiDirectedGraph<NodeData, EdgeData>()
  readonly #layout = createLayout()
  readonly #sigma: Sigma<NodeData, EdgeData>
  readonly #resizing: ResizeObserver
  #scheme = schemeOf('light')
  #colors: ReadonlyMap<string, string> = new Map()
  #neighbors: ReturnType<typeof neighborsIn> = new Map()
  #marks: Marks = { currentId: undefined, path: new Set(), pinned: new Set() }
  #hoveredId: string | undefined
  #draggedId: string | undefined
  /** The nodes that keep their place in the next layout. */
  #placed: Set<string> = new Set()
  /** The names that could be drawn in this frame, and the plates that were. */
  #labels: (Label & { draw: (box: Box) => void })[] = []
  #plates: Box[] = []

  constructor(container: HTMLElement, events: SceneEvents, { isStill, isWhole = false }: SceneOptions) {
    this.#container = container
    this.#events = events
    this.#isStill = isStill
    this.#sigma = new Sigma<NodeData, EdgeData>(this.#graph, container, {
      ...settings,
      enableCameraZooming: !isWhole,
      enableCameraPanning: !isWhole,
      enableEdgeEvents: !isWhole,
      zoomDuration: isStill ? 1 : moveMs,
      nodeReducer: (id, data) => ({ ...data, ...this.#nodeState(id, data) }),
      edgeReducer: (id, data) => ({ ...data, ...this.#edgeState(id, data) }),
      defaultDrawNodeLabel: (context, data, { labelSize }) => this.#offerLabel(context, data, labelSize),
      defaultDrawNodeHover: (context, data, { labelSize }) => {
        const plate = drawHover(context, data, labelSize, this.#scheme)
        if (plate !== undefined) this.#plates.push(plate)
      },
    })
    this.#sigma.on('beforeRender', () => {
      this.#labels = []
      this.#plates = []
    })
    this.#sigma.on('afterRender', () => this.#drawLabels())
    listenToPointer(this.#sigma, container, {
      ...events,
      onHover: (id) => {
        this.#hoveredId = id
        this.#repaint()
      },
      onDrag: (id, to) => this.#drag(id, to),
      onDrop: (id) => this.#drop(id),
    })
    this.#resizing = new ResizeObserver(() => this.#resize())
    this.#resizing.observe(container)
  }

  /**
   * Nodes that have a place keep it; new ones are placed next to their neighbors. `isAsked`: the person asked for the change, so the
   * view may move to show it. Changes by others never move the view. `known`: earlier places of nodes.
   */
  show(shown: Shown, known: ReadonlyMap<string, Place>, isAsked: boolean): void {
    const ids = [...shown.nodes.keys()]
    const hasPlaced = this.#graph.nodes().some((id) => this.#placed.has(id))
    if (hasPlaced && !isAsked) holdView(this.#sigma)
    const kept = ids.filter((id) => known.has(id))
    // If fewer than half of the nodes have a known place, everything is laid out again.
    const isKnown = hasPlaced || kept.length * 2 >= ids.length
    this.#placed = new Set([...ids.filter((id) => this.#placed.has(id)), ...(isKnown ? kept : [])])
    this.#sync(shown, known)
    if (this.#placed.size === ids.length) return this.#settle()
    if (isAsked) this.#sigma.setCustomBBox(null)
    this.#layOut()
  }

  /** Lays out all nodes that aren't pinned. */
  arrange(): void {
    this.#placed.clear()
    this.#sigma.setCustomBBox(null)
    this.#layOut()
  }

  #layOut(): void {
    const graph = this.#graph
    const ids = graph.nodes()
    const placeOf = new Map(ids.map((id, place) => [id, place]))
    const isFixed = (id: string) => this.#marks.pinned.has(id) || this.#placed.has(id)
    const nodes = ids.map((id) => ({ ...graph.getNodeAttributes(id), isFixed: isFixed(id) }))
    const links = graph.mapEdges(
      (_id, _data, ...ends) => [placeOf.get(ends[0]) ?? 0, placeOf.get(ends[1]) ?? 0] as const,
    )
    this.#container.dataset['settled'] = 'false'
    this.#layout.start(nodes, links, this.#isStill, (at, isDone) => {
      const move = (id: string, data: NodeData) => {
        const place = placeOf.get(id)
        return place === undefined || id === this.#draggedId ? data : { ...data, ...at(place) }
      }
      graph.updateEachNodeAttributes(move, { attributes: ['x', 'y'] })
      if (!isDone) return
      widenView(this.#sigma)
      this.#settle()
    })
  }

  mark(marks: Marks): void {
    this.#marks = marks
    this.#repaint()
  }

  /** `colors` replace the colors of the nodes' types. */
  paint(name: SchemeName, shown: Shown, colors: ReadonlyMap<string, string>): void {
    const scheme = schemeOf(name)
    this.#scheme = scheme
    this.#colors = colors
    this.#sigma.setSetting('edgeLabelColor', { color: scheme.dimmed })
    const scale = scaleOf(shown)
    this.#graph.updateEachNodeAttributes((id, data) => {
      const node = shown.nodes.get(id)
      return node === undefined ? data : { ...data, ...this.#lookOf(node, scale) }
    })
    const paintEdge = (id: string, data: EdgeData) => {
      const edge = shown.edges.get(id)
      return edge === undefined ? data : { ...data, ...lookOfEdge(edge, scheme, scale) }
    }
    // Without the hint, sigma paints before it has computed the positions again.
    this.#graph.updateEachEdgeAttributes(paintEdge, { attributes: ['color', 'type'] })
  }

  /** The place of a node in the frame, in pixels. */
  pointOf(id: string): Place | undefined {
    this.#sigma.refresh()
    return this.#graph.hasNode(id) ? this.#sigma.graphToViewport(this.#graph.getNodeAttributes(id)) : undefined
  }

  zoom(factor: number): void {
    const camera = this.#sigma.getCamera()
    this.#look({ ratio: camera.getBoundedRatio(camera.ratio / factor) })
  }

  /** Moves the view by fractions of its size. */
  pan(right: number, down: number): void {
    const camera = this.#sigma.getCamera()
    camera.setState({ x: camera.x + right * camera.ratio, y: camera.y - down * camera.ratio })
  }

  fit(): void {
    this.#sigma.setCustomBBox(null)
    this.#look({ x: 0.5, y: 0.5, ratio: 1 })
  }

  goTo(id: string): void {
    // Until the next frame, sigma returns outdated places.
    this.#sigma.refresh()
    const at = this.#sigma.getNodeDisplayData(id)
    if (at !== undefined) this.#look({ x: at.x, y: at.y })
  }

  end(): void {
    this.#resizing.disconnect()
    this.#layout.end()
    this.#sigma.kill()
  }

  /** Sigma offers names one by one. They are drawn once all are known. */
  #offerLabel(context: CanvasRenderingContext2D, data: Drawn & { forceLabel?: boolean }, fontPx: number): void {
    if (data.label === null || data.label === '') return
    const { label, forceLabel: isWanted = false } = data
    const draw = (box: Box) => drawLabel(context, { label, fontPx }, box, this.#scheme)
    const priority = data.size + (isWanted ? 1_000 : 0)
    const places = placesOfLabel(context, data, fontPx)
    this.#labels.push({ places, links: this.#linksOf(data), priority, isWanted, draw })
  }

  #linksOf({ key, x, y }: Drawn): Line[] {
    if (key === undefined) return []
    return this.#graph.mapNeighbors(key, (_id, at) => ({ from: { x, y }, to: this.#sigma.graphToViewport(at) }))
  }

  #drawLabels(): void {
    const { width, height } = this.#sigma.getDimensions()
    const nodes = this.#graph.mapNodes((id, { hasRing }) => ({ data: this.#sigma.getNodeDisplayData(id), hasRing }))
    const boxes = nodes.flatMap(({ data, hasRing }) => {
      if (data === undefined) return []
      const size = this.#sigma.scaleSize(data.size)
      return [boxOfNode({ ...this.#sigma.framedGraphToViewport(data), size }, hasRing)]
    })
    const map = { taken: this.#plates, nodes: boxes, width, height }
    for (const { label, box } of placeLabels(this.#labels, map)) label.draw(box)
  }

  #look(state: Partial<CameraState>): void {
    const camera = this.#sigma.getCamera()
    if (this.#isStill) camera.setState(state)
    else void camera.animate(state, { duration: moveMs })
  }

  #repaint(): void {
    this.#sigma.refresh({ schedule: true })
  }

  #resize(): void {
    if (this.#container.offsetWidth > 0) this.#sigma.resize().scheduleRender()
  }

  #sync(shown: Shown, known: ReadonlyMap<string, Place>): void {
    const graph = this.#graph
    for (const id of graph.nodes()) if (!shown.nodes.has(id)) graph.dropNode(id)
    for (const id of graph.edges()) if (!shown.edges.has(id)) graph.dropEdge(id)
    this.#neighbors = neighborsIn(shown)
    if (this.#hoveredId !== undefined && !shown.nodes.has(this.#hoveredId)) this.#hoveredId = undefined
    const places = seedPlaces([...shown.nodes.keys()], this.#neighbors, new Map([...known, ...this.#places()]))
    const scale = scaleOf(shown)
    for (const [id, node] of shown.nodes) {
      const look = { type: 'shape' as const, ...this.#lookOf(node, scale) }
      if (graph.hasNode(id)) graph.mergeNodeAttributes(id, look)
      else graph.addNode(id, { ...look, ...(places.get(id) ?? { x: 0, y: 0 }) })
    }
    for (const [id, edge] of shown.edges) {
      if (graph.hasEdge(id)) continue
      const look = { ...lookOfEdge(edge, this.#scheme, scale), label: titleOfMapRelation(edge.relationType) }
      graph.addEdgeWithKey(id, edge.sourceId, edge.targetId, look)
    }
  }

  #lookOf(node: MapNode, scale: Scale): NodeLook {
    const look = lookOfNode(node, this.#scheme, scale)
    return { ...look, color: this.#colors.get(node.id) ?? look.color }
  }

  #places(): Map<string, Place> {
    return new Map(this.#graph.mapNodes((id, { x, y }) => [id, { x, y }] as const))
  }

  #settle(): void {
    this.#placed = new Set(this.#graph.nodes())
    this.#container.dataset['settled'] = 'true'
    this.#events.onSettled(this.#places())
  }

  #drag(id: string, to: Place): void {
    // Otherwise sigma fits the view to the moved node, which then leaves the pointer.
    if (this.#draggedId === undefined) this.#sigma.setCustomBBox(this.#sigma.getBBox())
    this.#draggedId = id
    this.#layout.stop()
    this.#graph.mergeNodeAttributes(id, to)
  }

  #drop(id: string): void {
    this.#draggedId = undefined
    this.#events.onPlace(id)
    this.#settle()
  }

  /** Whether the node is dimmed: it isn't the hovered node or its neighbor, or isn't on the path shown. */
  #isDimmed(id: string): boolean {
    if (id === this.#hoveredId || id === this.#marks.currentId) return false
    if (this.#hoveredId !== undefined) return this.#neighbors.get(this.#hoveredId)?.has(id) !== true
    return this.#marks.path.size > 0 && !this.#marks.path.has(id)
  }

  #nodeState(id: string, data: NodeData) {
    if (this.#isDimmed(id)) return { color: mix(data.color, this.#scheme.background, 0.18), label: '', zIndex: 0 }
    const isFocus = id === this.#hoveredId || id === this.#marks.currentId
    const near = this.#hoveredId === undefined ? 0 : (this.#neighbors.get(this.#hoveredId)?.size ?? 0)
    const isNamed = isFocus || (near > 0 && near <= maxNames) || this.#marks.path.has(id) || this.#marks.pinned.has(id)
    return { highlighted: isFocus, forceLabel: isNamed, zIndex: isFocus ? 2 : 1 }
  }

  #edgeState(id: string, data: EdgeData) {
    const [source, target] = this.#graph.extremities(id)
    const isOfHovered = source === this.#hoveredId || target === this.#hoveredId
    const isBack = this.#hoveredId === undefined ? this.#isDimmed(source) || this.#isDimmed(target) : !isOfHovered
    if (isBack) return { color: mix(data.color, this.#scheme.background, 0.15), label: '', zIndex: 0 }
    const isEmphasized = isOfHovered || (this.#marks.path.has(source) && this.#marks.path.has(target))
    return {
      forceLabel: isEmphasized,
      label: isEmphasized ? data.label : '',
      size: data.size * (isEmphasized ? 1.8 : 1),
      zIndex: 1,
    }
  }
}
