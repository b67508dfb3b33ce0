/** The part of saxen that the reader of workbooks uses. The package has no types. */
declare module 'saxen' {
  type Attributes = Readonly<Record<string, string>>
  type Decode = (text: string) => string

  export class Parser {
    on(
      event: 'openTag',
      listener: (name: string, attributes: () => Attributes, decode: Decode) => void,
    ): this
    on(event: 'closeTag', listener: (name: string) => void): this
    parse(xml: string): Error | undefined
  }
}
