/** A file that cannot be imported. The message is a sentence for the merchant. */
export class FileRefusal extends Error {
  override readonly name = 'FileRefusal'
}
