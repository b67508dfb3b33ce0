import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Request, Response } from 'express'

/** An HTML page in every encoding that the server sends. */
export interface EncodedPage {
  readonly identity: EncodedBody
  readonly br: EncodedBody
  readonly gzip: EncodedBody
}

interface EncodedBody {
  readonly content: Buffer
  /** A strong ETag names one sequence of bytes, so each encoding has its own. */
  readonly etag: string
}

/** Compresses a page once, at the start: about 50 ms for 30 kB. */
export function encodePage(html: string): EncodedPage {
  const content = Buffer.from(html)
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22)
  return {
    identity: { content, etag: `"${hash}"` },
    br: {
      content: brotliCompressSync(content, {
        params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
      }),
      etag: `"${hash}-br"`,
    },
    gzip: {
      content: gzipSync(content, { level: constants.Z_BEST_COMPRESSION }),
      etag: `"${hash}-gzip"`,
    },
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
    .send(content)
}
