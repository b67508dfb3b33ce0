import { unreachable } from '../../../../lib/unreachable.ts'
import { FileRefusal } from '../file/file-refusal.ts'
import type { Reader, ReaderAnswer, ReaderCalls, ReaderRequest } from './reader-messages.ts'

/** The worker's side of the messages. The page and the worker are of the same release. */
interface PageSide {
  addEventListener: (
    type: 'message',
    listener: (event: MessageEvent<ReaderRequest>) => void,
  ) => void
  postMessage: (message: ReaderAnswer) => void
}

/** Answers the requests of the page, one after the other. */
export function serveReader(page: PageSide, reader: Reader): void {
  let last: Promise<unknown> = Promise.resolve()
  page.addEventListener('message', ({ data }) => {
    last = last.then(async () => {
      page.postMessage(await answerTo(data, reader))
    })
  })
}

async function answerTo(request: ReaderRequest, reader: Reader): Promise<ReaderAnswer> {
  const { id } = request
  try {
    return { id, answer: await perform(request, reader) }
  } catch (error) {
    if (error instanceof FileRefusal) return { id, refusal: error.message }
    return { id, failure: error instanceof Error ? error.message : String(error) }
  }
}

function perform(
  request: ReaderRequest,
  reader: Reader,
): Promise<ReaderCalls[keyof ReaderCalls]['answer']> {
  switch (request.call) {
    case 'open':
      return reader.open(request.given)
    case 'chooseSheet':
      return reader.chooseSheet(request.given)
    case 'check':
      return reader.check(request.given)
    case 'refusedCsv':
      return reader.refusedCsv(request.given)
    default:
      return unreachable(request)
  }
}
