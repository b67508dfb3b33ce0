import { dialTicks, Hatching, Illustration, Part, pointOnDial } from './illustration.tsx'

/** Experience: the dial counts years from 0 to 24, and the pointer stands at `years`. */
export function PerpetualCalendar({ years = 18 }: { years?: number }) {
  const at = (radius: number) => pointOnDial([260, 178], radius, 7.5 * years - 90)
  return (
    <Illustration
      title={`A perpetual calendar; the pointer on its dial of years stands at ${years}`}
      ticksAt={388}
    >
      <circle cx="260" cy="44" r="10" fill="var(--il-a)" />
      <Part tone="b" d="M248 66l4-12h16l4 12z" />
      <Part tone="a" d="M148 178a112 112 0 0 1 224 0z" />
      <Part tone="b" d="M316 81a112 112 0 0 1 56 97h-18a94 94 0 0 0-47-81.4z" />
      <path className="il-hatching" d={shade} />
      <Part tone="paper" d="M166 178a94 94 0 0 1 188 0z" />
      <path className="il-thin" d={yearTicks} />
      <Part tone="a" d="M160 192h200v154H160z" />
      <Part tone="b" d="M334 192h26v154h-26z" />
      <Hatching top={192} bottom={346} left={334} right={360} rise={12} />
      <Part tone="paper" d="M184 204h132v30H184zM184 246h132v54H184zM184 312h132v26H184z" />
      <Part tone="b" d="M184 246h132v7H184zM184 293h132v7H184z" />
      <g textAnchor="middle">
        <text x="219" y="146" fontSize="13">
          6
        </text>
        <text x="260" y="121" fontSize="13">
          12
        </text>
        <text x="250" y="224" fontSize="16">
          Wednesday
        </text>
        <text x="250" y="288" fontSize="42">
          {years}
        </text>
        <text x="250" y="330" fontSize="16">
          November
        </text>
      </g>
      <Part tone="b" d={knobStems} />
      <Part tone="a" d={knobs} />
      <Part tone="a" d="M146 178h228v14H146z" />
      <Part tone="b" d="M334 178h40v14h-40z" />
      <path className="il-needle" d={`M${at(14)}L${at(91)}`} />
      <path d="M244 178a16 16 0 0 1 32 0z" fill="var(--il-a)" />
      <circle className="il-dot" cx="260" cy="173" r="4" />
      <Part tone="a" d="M150 346h220v14H150zM134 360h252v24H134z" />
      <Part tone="b" d="M334 346h36v14h-36zM340 360h46v24h-46z" />
      <Hatching top={360} bottom={384} left={340} right={386} step={6} />
    </Illustration>
  )
}

/** The knobs of the three rollers, at both sides of the case. */
const rollers = [219, 273, 325]
const knobStems = rollers.map((y) => `M146 ${y - 4}h14v8h-14zM360 ${y - 4}h14v8h-14z`).join('')
const knobs = rollers.map((y) => `M135 ${y - 13}h11v26h-11zM374 ${y - 13}h11v26h-11z`).join('')

const yearTicks = dialTicks({
  center: [260, 178],
  radius: 87,
  from: -90,
  to: 90,
  count: 25,
  longEvery: 6,
  lengths: [16, 8],
})
const shade = dialTicks({
  center: [260, 178],
  radius: 112,
  from: 34,
  to: 88,
  count: 13,
  longEvery: 1,
  lengths: [18, 18],
})
