import { dialTicks, Hatching, Illustration, Part } from './illustration.tsx'

/** Follow-ups: the beats are an e-mail and a text message. */
export function Metronome() {
  return (
    <Illustration title="A metronome whose beats are an e-mail and a text message" ticksAt={372}>
      <path className="il-faint" d="M151.8 87A266 266 0 0 1 368.2 87" />
      <path className="il-thin il-faint" d={swing} />
      <Part tone="a" d="M224 96h72l52 262H172z" />
      <Part tone="b" d="M296 96l52 262h-34L282 96z" />
      <Hatching top={96} bottom={358} left={[282, 314]} right={[296, 348]} rise={12} step={11} />
      <Part tone="paper" d="M231 126h58l25 168H206z" />
      <Part tone="b" d="M226 96l8-16h52l8 16z" />
      <path
        className="il-thin"
        d="M248 150h24m-19 12h14m-14 12h14m-19 12h24m-19 12h14m-14 12h14m-19 12h24m-19 12h14m-14 12h14m-19 12h24m-19 12h14"
      />
      <g fontSize="12" textAnchor="end">
        <text x="244" y="154">
          14
        </text>
        <text x="244" y="190">
          10
        </text>
        <text x="244" y="226">
          7
        </text>
        <text x="244" y="262">
          3
        </text>
      </g>
      <path className="il-faint" strokeDasharray="3 7" d="M260 311 182 66" />
      <path strokeWidth="3" d="M327 246h17m0-9v18" />
      <Part tone="a" d="M158 358h204v26H158z" />
      <Part tone="b" d="M318 358h44v26h-44z" />
      <Hatching top={358} bottom={384} left={318} right={362} step={6} />
      <Part tone="a" d="M196 294h128v34H196z" />
      <circle cx="260" cy="311" r="8" fill="var(--il-paper)" />
      <path className="il-needle" d="M260 311 338 66" />
      <circle className="il-dot" cx="260" cy="311" r="3.4" />
      <Part tone="accent" d="m297 160 31 10-8 25-31-10z" />
      <Part tone="paper" d="M60 74h72v48H60z" />
      <path d="m60 76 36 27 36-27" />
      <Part tone="paper" d="M388 70h72v46h-42l-14 14v-14h-16z" />
      <path d="M402 86h44m-44 13h28" />
    </Illustration>
  )
}

const swing = dialTicks({
  center: [260, 330],
  radius: 266,
  from: -24,
  to: 24,
  count: 13,
  longEvery: 3,
  lengths: [16, 8],
})
