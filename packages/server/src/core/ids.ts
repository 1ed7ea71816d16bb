import { v7 } from 'uuid'

/** A new UUID version 7: lower case, rising with time, so that inserts append to their index. */
export const newId = (): string => v7()
