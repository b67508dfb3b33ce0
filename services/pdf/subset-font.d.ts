/** The part of subset-font that the product uses. The package has no types. */
declare module 'subset-font' {
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: {
      readonly targetFormat: 'truetype'
      readonly variationAxes: { readonly wght: number }
    },
  ): Promise<Buffer>
}
