import type { Access } from '../access.ts'
import { isOpenStream, type Answer } from '../answer.ts'
import type { IsSigned } from './unsigned-requests.ts'
import type { Work } from './work.ts'

/** What the class of a call follows from. */
export interface ClassifiedCall {
  readonly method: 'get' | 'post' | 'patch'
  /** An Express path that begins with /api. */
  readonly path: string
  readonly access?: Access
  /** Default: `admin` if an administrator's session is needed, otherwise `customer`. */
  readonly work?: Work
  readonly answer?: Answer
  readonly isSigned?: IsSigned
}

export interface ClassOfCall {
  readonly work: Work
  /** The same for all requests of a call. */
  readonly call: string
  /** The answer stays open. It waits and does not work, so it holds no place after its head. */
  readonly opensStream: boolean
  /** Null: the call needs no signature. */
  readonly isSigned: IsSigned | null
}

/** Null: the request is never refused. */
export type WorkOf = (method: string, url: string) => ClassOfCall | null

/**
 * The class of a request by its address, before any other part of the request is read. Addresses
 * compare as Express compares them: without regard to case and a slash at the end. Calls of the API
 * that no area declares are of the class `customer`. Pages, their files and /healthz are not
 * limited: they need no database. The pages below /pay/ need it.
 */
export function createWorkOf(calls: readonly ClassifiedCall[]): WorkOf {
  const exact = new Map<string, ClassOfCall>()
  const patterns: { readonly method: string; readonly path: RegExp; readonly of: ClassOfCall }[] =
    []
  for (const call of calls) {
    const method = call.method.toUpperCase()
    const path = call.path.toLowerCase()
    const of = classOf(call, `${method} ${path}`)
    if (path.includes('/:'))
      patterns.push({ method, path: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`), of })
    else exact.set(`${method} ${path}`, of)
  }

  return (sent, url) => {
    const method = sent === 'HEAD' ? 'GET' : sent
    const path = pathOf(url)
    if (path.startsWith('/pay/')) return clientPortal
    if (!path.startsWith('/api/')) return null
    const declared =
      exact.get(`${method} ${path}`) ??
      patterns.find((each) => each.method === method && each.path.test(path))?.of
    return declared ?? { work: 'customer', call: 'undeclared', opensStream: false, isSigned: null }
  }
}

/** Its addresses have tokens, so all of them are one call. */
const clientPortal: ClassOfCall = {
  work: 'client-portal',
  call: 'client portal',
  opensStream: false,
  isSigned: null,
}

export function workOfCall({ work, access }: Pick<ClassifiedCall, 'work' | 'access'>): Work {
  return work ?? (access === 'admin' ? 'admin' : 'customer')
}

function classOf(declared: ClassifiedCall, call: string): ClassOfCall {
  const { answer, isSigned } = declared
  return {
    work: workOfCall(declared),
    call,
    opensStream: answer !== undefined && isOpenStream(answer),
    isSigned: isSigned ?? null,
  }
}

/**
 * The path as Express reads it, in lower case. In an address with a fragment, which no browser
 * sends, Express reads backslashes as slashes.
 */
function pathOf(url: string): string {
  const [address = ''] = url.replaceAll('\\', '/').split(/[?#]/, 1)
  const path = address.toLowerCase()
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}
