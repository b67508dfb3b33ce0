import { dialTicks, Hatching, Illustration, Part } from './illustration.tsx'

/** The brand: the die is about to emboss the owner's name; a sealed letter stands beside. */
export function EmbossingPress() {
  return (
    <Illustration
      title="An embossing press above a sheet, beside a letter that carries its seal"
      ticksAt={388}
    >
      <Part tone="paper" d="M250 84h20v152h-20z" />
      <path className="il-thin" d={thread} />
      <Part
        tone="a"
        d="M186 348V182q0-40 40-40h68q40 0 40 40v166h-34V204q0-22-22-22h-36q-22 0-22 22v144z"
      />
      <Part tone="b" d="M318 348V192c0-24-8-42-24-50q40 0 40 40v166z" />
      <Hatching top={176} bottom={348} left={318} right={334} />
      <Part tone="b" d="m234 142 5-20h42l5 20z" />
      <path d="M186 324h34m80 0h34" />
      <Part tone="a" d="m260 54 156 8v16l-156 8-156-8V62z" />
      <Part tone="a" d="M240 48h40v44h-40z" />
      <Part tone="b" d="M268 48h12v44h-12zM248 48V37h24v11z" />
      <Hatching top={48} bottom={92} left={268} right={280} rise={6} />
      <Ball x={104} />
      <Ball x={416} />
      <Part tone="a" d="M362 81h8v14h-8zM356 95h20l3 40h-26z" />
      <Part tone="b" d="M368 95h8l3 40h-9z" />
      <Part tone="a" d="M220 240h80v14h-80zM228 230h64v36h-64z" />
      <Part tone="b" d="M276 230h16v36h-16zM240 266h40v14h-40z" />
      <Hatching top={230} bottom={266} left={276} right={292} />
      <Part tone="accent" d="M238 280h44l-11 24h-22z" />
      <path strokeWidth="3" d="M226 321h68" />
      <Part tone="b" d="M238 323h44v9h-44z" />
      <Part tone="a" d="M228 332h64v16h-64z" />
      <Part tone="a" d="M174 348h172v14H174zM156 362h208v22H156z" />
      <Part tone="b" d="M312 348h34v14h-34zM320 362h44v22h-44z" />
      <Hatching top={362} bottom={384} left={320} right={364} step={6} />
      <Part tone="paper" d="M62 268h82v116H62z" />
      <path strokeWidth="4" d="M76 286h32" />
      <path className="il-thin" d="M76 304h54m-54 10h54m-54 10h36" />
      <circle cx="116" cy="352" r="19" fill="var(--il-a)" />
      <circle className="il-thin" cx="116" cy="352" r="12" />
      <path className="il-thin" d={`${serration}m110.5 357 5.5-11 5.5 11m-9-4h7`} />
    </Illustration>
  )
}

/** A weight at an end of the arm, with a shaded crescent. */
function Ball({ x }: { x: number }) {
  const lines = [-15, -8, -1, 6, 13, 20].map((y) => {
    const inner = Math.round(Math.sqrt(32 ** 2 - y ** 2) - 20)
    const outer = Math.round(Math.sqrt(25 ** 2 - (y - 5) ** 2))
    return `M${x + inner} ${70 + y}L${x + outer} ${65 + y}`
  })
  return (
    <>
      <circle cx={x} cy="70" r="25" fill="var(--il-a)" />
      <Part tone="b" d={`M${x} 45a25 25 0 0 1 0 50a32 32 0 0 0 0-50z`} />
      <path className="il-hatching" d={lines.join('')} />
    </>
  )
}

const thread = Array.from({ length: 18 }, (_, turn) => `M250 ${94 + 8 * turn}l20-6`).join('')
const serration = dialTicks({
  center: [116, 352],
  radius: 19,
  from: 0,
  to: 345,
  count: 24,
  longEvery: 1,
  lengths: [3, 3],
})
