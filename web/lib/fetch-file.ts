import { exportEvents, type ExportEvents } from '#contracts/admin/exports'
import { refusalOf, type ApiError } from './http.ts'

export type FileResult =
  | { readonly file: Blob; readonly name: string; readonly error?: undefined }
  | { readonly file?: undefined; readonly error: ApiError }

/** How far a file is: the bytes that arrived, or the rows that the server has written. */
export type FileProgress = { readonly bytes: number } | ExportEvents['progress']

interface FetchFileOptions {
  /** `text/event-stream`: the server makes the whole file first, and sends its progress. */
  readonly accept?: string
  readonly onProgress?: (progress: FileProgress) => void
  /** Aborts the fetch, which then answers as unreachable. */
  readonly signal?: AbortSignal
}

/**
 * Fetches a file. A link would save the server's refusal as the file. The name is that of the
 * answer's Content-Disposition. The function does not throw.
 */
export async function fetchFile(
  url: string,
  { accept = '*/*', onProgress = () => {}, signal }: FetchFileOptions = {},
): Promise<FileResult> {
  try {
    const response = await fetch(new URL(url, window.location.origin), {
      signal,
      credentials: 'same-origin',
      headers: { Accept: accept, 'X-Requested-With': 'fetch' },
    })
    if (!response.ok) return { error: await refusalOf(response) }
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream')
    if (isStream) return await fileOfEvents(response, onProgress)
    const parts: BlobPart[] = []
    let bytes = 0
    for await (const part of partsOf(response)) {
      parts.push(part)
      onProgress({ bytes: (bytes += part.length) })
    }
    const type = response.headers.get('Content-Type') ?? ''
    return { file: new Blob(parts, { type }), name: nameOf(response) }
  } catch {
    return { error: { status: 'unreachable', error: null } }
  }
}

/** Safari cannot iterate over a stream. */
async function* partsOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader()
  if (reader === undefined) return
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
}

const nameOf = ({ headers }: Response) =>
  /filename="?([^";]+)/.exec(headers.get('Content-Disposition') ?? '')?.[1] ?? 'download'

/**
 * The file at the end of an event stream: `progress` events with rows and total, then a `file`
 * event with name and base64, or an `error` event with the server's sentence.
 */
async function fileOfEvents(
  response: Response,
  onProgress: (progress: FileProgress) => void,
): Promise<FileResult> {
  for await (const { name, data } of eventsOf(response)) {
    if (name === 'progress') onProgress(exportEvents.progress.parse(data))
    if (name === 'error')
      return { error: { status: 'unreadable', ...exportEvents.error.parse(data) } }
    if (name === 'file') {
      const { name: fileName, base64 } = exportEvents.file.parse(data)
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      return { file: new Blob([bytes]), name: fileName }
    }
  }
  return { error: { status: 'unreadable', error: null } }
}

/** The events of a stream: `event: <name>`, `data: <JSON>` and an empty line. */
async function* eventsOf(response: Response): AsyncGenerator<{ name: string; data: unknown }> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of partsOf(response)) {
    const blocks = (text + decoder.decode(part, { stream: true })).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const name = /^event: ?(.*)$/m.exec(block)?.[1]
      const data = /^data: ?(.*)$/m.exec(block)?.[1]
      if (name !== undefined && data !== undefined) yield { name, data: JSON.parse(data) }
    }
  }
}
