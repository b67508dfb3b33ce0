/** Its text is a sentence for the tester. */
export class ProductRefused extends Error {
  override readonly name = 'ProductRefused'
}
