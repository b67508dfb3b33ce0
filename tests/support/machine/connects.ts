import { connect } from 'node:net'

/**
 * Whether a server accepts TCP connections at this address. False if it refuses them. @throws every
 * other error
 */
export function connects(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNREFUSED' ? resolve(false) : reject(error),
    )
  })
}
