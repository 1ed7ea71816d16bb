/** What the service answered. */
export interface Answer<Output> {
  data: Output
  status: number
  /** Names the request in the log of the server. */
  requestId: string | undefined
  headers: Headers
}

// oxlint-disable-next-line typescript/no-explicit-any -- what Promise itself takes, so that handlers of promises fit
type OnRejected<Result> = ((reason: any) => Result | PromiseLike<Result>) | null

/** A call under way: a promise of its answer, which was sent whether or not somebody waits for it. */
export class Call<Output> implements Promise<Output> {
  readonly [Symbol.toStringTag] = 'Call'
  readonly #answer: Promise<Answer<Output>>

  constructor(answer: Promise<Answer<Output>>) {
    this.#answer = answer
  }

  /** The answer with its status, headers and request id. */
  withResponse(): Promise<Answer<Output>> {
    return this.#answer
  }

  // Nothing is derived from the answer before somebody asks, so that a refusal is unhandled only where nobody handles it.
  // oxlint-disable-next-line unicorn/no-thenable -- it is a promise
  then<Fulfilled = Output, Rejected = never>(
    onFulfilled?: ((data: Output) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: OnRejected<Rejected>,
  ): Promise<Fulfilled | Rejected> {
    return this.#answer.then(({ data }) => data).then(onFulfilled, onRejected)
  }

  catch<Rejected = never>(onRejected?: OnRejected<Rejected>): Promise<Output | Rejected> {
    return this.then(undefined, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Output> {
    return this.then().finally(onFinally)
  }
}

/**
 * A call whose answer comes in pages: a promise of the first page, and an iterator over the items of all of them. Each
 * page is asked for when it is needed; what others add or remove meanwhile can make an item come twice or not at all.
 */
export class PagedCall<Output, Item> extends Call<Output> implements AsyncIterable<Item> {
  readonly #itemsOf: (page: Output) => readonly Item[]
  readonly #pageAfter: (page: Output) => Promise<Output> | undefined

  constructor(
    answer: Promise<Answer<Output>>,
    itemsOf: (page: Output) => readonly Item[],
    pageAfter: (page: Output) => Promise<Output> | undefined,
  ) {
    super(answer)
    this.#itemsOf = itemsOf
    this.#pageAfter = pageAfter
  }

  /** The pages, the first one included. */
  async *pages(): AsyncGenerator<Output, void, undefined> {
    for (let page: Promise<Output> | undefined = this.then(); page !== undefined;) {
      const read = await page
      yield read
      page = this.#pageAfter(read)
    }
  }

  /** The items of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#itemsOf(page)
  }
}
