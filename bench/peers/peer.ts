/** A memory server that the benchmark installs from a registry, and calls the way its documentation says. */
export interface Peer {
  /** What `--peer` takes. */
  readonly name: string
  /** The name of its installation, which several variants share. Default: its own name. */
  readonly installation?: string
  /** What people call it. */
  readonly label: string
  readonly version: string
  /** How it is installed and called, and every setting that isn't its default. */
  readonly conditions: string
  /** Installs it into an empty folder. Only this may need the network. */
  install(folder: string): Promise<void>
  /** Starts it on a store: a folder that is empty or was left by an earlier start. */
  open(installed: string, store: string): Promise<OpenPeer>
}

export interface OpenPeer {
  /** A server over HTTP gets another connection. A server over stdio starts again, as it does for each agent, with the same store. */
  connect(): Promise<Connection>
  /** Its processes, and those that they started. */
  pids(): number[]
  /** Stops it as an agent or a service manager would. */
  stop(): Promise<void>
  /** Ends all its processes with SIGKILL. */
  kill(): Promise<void>
}

export interface Connection {
  /** Stores a text and returns its id when the server has acknowledged it. Throws if it refuses. */
  write(text: string): Promise<string>
  /** The stored text, or undefined if there is none with this id. */
  read(id: string): Promise<string | undefined>
  /** The ids that a search finds, best first. */
  search(query: string, limit: number): Promise<string[]>
}
