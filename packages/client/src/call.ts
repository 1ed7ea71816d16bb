/** An answer of the server. */
export interface Answer<Output> {
  data: Output
  status: number
  /** Identifies the request in the server's log. */
  requestId: string | undefined
  headers: Headers
}

// oxlint-disable-next-line typescript/no-explicit-any -- the type that Promise uses
type OnRejected<Result> = ((reason: any) => Result | PromiseLike<Result>) | null

/** A call that has been sent: a promise of its answer. It is sent whether or not you await it. */
export class Call<Output> implements Promise<Output> {
  readonly [Symbol.toStringTag] = 'Call'
  readonly #answer: Promise<Answer<Output>>

  constructor(answer: Promise<Answer<Output>>) {
    this.#answer = answer
  }

  /** Returns the answer with its status, headers and request id. */
  withResponse(): Promise<Answer<Output>> {
    return this.#answer
  }

  // Derives promises only on request, so an error counts as unhandled only if the caller does not handle it.
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
 * A call with a paged answer: a promise of the first page, and an iterator over the items of all pages. It requests each page
 * when you need it. If others add or remove records in the meantime, an item may come twice or not at all.
 */
export class PagedCall<Output, Item> extends Call<Output> implements AsyncIterable<Item> {
  readonly #getItems: (page: Output) => readonly Item[]
  readonly #getNextPage: (page: Output) => Promise<Output> | undefined

  constructor(
    answer: Promise<Answer<Output>>,
    getItems: (page: Output) => readonly Item[],
    getNextPage: (page: Output) => Promise<Output> | undefined,
  ) {
    super(answer)
    this.#getItems = getItems
    this.#getNextPage = getNextPage
  }

  /** Iterates over the pages, including the first. */
  async *pages(): AsyncGenerator<Output, void, undefined> {
    for (let page: Promise<Output> | undefined = this.then(); page !== undefined;) {
      const read = await page
      yield read
      page = this.#getNextPage(read)
    }
  }

  /** Iterates over the items of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#getItems(page)
  }
}
