import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Request, Response } from 'express'

/** An HTML page in every encoding that the server sends. */
export type EncodedPage = Readonly<Record<Encoding, EncodedBody>>

type Encoding = keyof typeof encoders

interface EncodedBody {
  /** Encodes the page at the first call: about 50 ms for 30 kB. Later calls return the same. */
  readonly content: () => Buffer
  /** A strong ETag names one sequence of bytes, so each encoding has its own. */
  readonly etag: string
}

const encoders = {
  identity: (content: Buffer) => content,
  br: (content: Buffer) =>
    brotliCompressSync(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    }),
  gzip: (content: Buffer) => gzipSync(content, { level: constants.Z_BEST_COMPRESSION }),
}

/** The pages are encoded when a client requests them, so that no start waits for it. */
export function encodePage(html: string): EncodedPage {
  const content = Buffer.from(html)
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22)
  const body = (encoding: Encoding, etag: string): EncodedBody => {
    let encoded: Buffer | null = null
    return { content: () => (encoded ??= encoders[encoding](content)), etag: `"${etag}"` }
  }
  return {
    identity: body('identity', hash),
    br: body('br', `${hash}-br`),
    gzip: body('gzip', `${hash}-gzip`),
  }
}

/**
 * Sends a page in the encoding that the client prefers. A browser must ask before it uses a stored
 * copy, and gets 304 if the copy is current: a page names the files of one build.
 */
export function sendPage(request: Request, response: Response, page: EncodedPage): void {
  // `identity` last: the server's order decides between encodings that the client accepts equally.
  const accepted = request.acceptsEncodings('br', 'gzip', 'identity')
  const encoding = accepted === 'br' || accepted === 'gzip' ? accepted : 'identity'
  const { content, etag } = page[encoding]
  if (encoding !== 'identity') response.set('Content-Encoding', encoding)
  response
    .set('Cache-Control', 'no-cache')
    .set('ETag', etag)
    .vary('Accept-Encoding')
    .type('html')
    .send(content())
}
