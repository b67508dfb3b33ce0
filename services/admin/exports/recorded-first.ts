/**
 * The parts of an export, with the record right before the first part. An export that fails before
 * took nothing, and a download that the client ends early is recorded.
 */
export async function* recordedFirst<Part>(
  parts: AsyncIterable<Part>,
  record: () => Promise<void>,
): AsyncGenerator<Part, void, undefined> {
  let isRecorded = false
  for await (const part of parts) {
    if (!isRecorded) await record()
    isRecorded = true
    yield part
  }
}
