import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { isOtherAnswer } from './answer.ts'
import type { Access } from './access.ts'
import { checkInput, type MountedEndpoint, type RequestContext } from './endpoint.ts'
import { badRequest } from './http-error.ts'
import type { DeclareRoute, Routes } from './routes.ts'

/** Answers GET calls of administrators without a request. */
export interface CallReader {
  /** @throws HttpError 400 if no call has this address, or its query breaks the contract */
  check(address: string): void
  /** The JSON of the answer, as any administrator receives it. @throws what the handler throws */
  read(address: string): Promise<string>
}

/** Reads the declared calls of these areas. Calls with path parameters have no reader. */
export function createCallReader(areas: readonly Routes[], log: Logger): CallReader {
  const endpoints = new Map<string, MountedEndpoint<Access>>()
  const declare: DeclareRoute = (endpoint) => {
    if (endpoint.method === 'get' && endpoint.access === 'admin' && !isOtherAnswer(endpoint.answer))
      endpoints.set(endpoint.path, endpoint)
  }
  for (const area of areas) area(declare)

  function find(address: string) {
    const [path = '', search = ''] = address.split('?', 2)
    const endpoint = endpoints.get(path)
    if (endpoint === undefined) throw badRequest('watch', 'names no call that can be watched.')
    const query = Object.fromEntries(new URLSearchParams(search))
    return { endpoint, input: checkInput(endpoint, { params: {}, query, body: undefined }) }
  }

  return {
    check: (address) => void find(address),
    async read(address) {
      const { endpoint, input } = find(address)
      const answer = await endpoint.handle(input, readerContext(log))
      if (isOtherAnswer(endpoint.answer)) throw new Error(`${address} does not answer with JSON.`)
      return JSON.stringify(endpoint.answer.parse(answer))
    },
  }
}

const sessionOfReader = {
  position: null,
  handle: null,
  remember: () => undefined,
  signIn: () => Promise.reject(new Error('A read without a request cannot sign in.')),
  signOut: () => Promise.reject(new Error('A read without a request cannot sign out.')),
  keepExpiry: () => undefined,
  signInCode: null,
  completeSignIn: () => undefined,
}

/** A caller without writes of its own, so that the read waits for no read model. */
function readerContext(log: Logger): RequestContext & { readonly adminId: string } {
  return {
    adminId: 'live-updates',
    customer: {
      ...sessionOfReader,
      userId: null,
      browser: null,
      mark: () => '',
      savedProfile: null,
      noteSavedProfile: () => undefined,
    },
    admin: { ...sessionOfReader, adminId: 'live-updates', browser: null, mark: () => '' },
    administrator: () => Promise.resolve(null),
    commandId: randomUUID(),
    appends: null,
    correlationId: randomUUID(),
    network: '',
    log,
    signal: new AbortController().signal,
    setHeader: () => undefined,
    preferredType: () => null,
  }
}
