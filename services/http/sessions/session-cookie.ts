import type { Response } from 'express'

/**
 * Calls `listener` before the head of the answer is sent. express-session, which is called later,
 * adds its cookie before.
 */
export function beforeHead(response: Response, listener: () => void): void {
  const { writeHead } = response
  response.writeHead = (...given: unknown[]) => {
    listener()
    return Reflect.apply(writeHead, response, given) as Response
  }
}

/**
 * The answer does not send the cookie of a visitor's stored session again. Meanwhile another tab
 * may have signed in, and the cookie would replace that of the new session. The browser keeps the
 * cookie for 24 h from the first answer.
 */
export function dropCookie(response: Response, name: string): void {
  const cookies = [response.getHeader('Set-Cookie') ?? []].flat().map(String)
  const others = cookies.filter((each) => !each.startsWith(`${name}=`))
  if (others.length === 0) response.removeHeader('Set-Cookie')
  else response.setHeader('Set-Cookie', others)
}
