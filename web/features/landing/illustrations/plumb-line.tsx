import { dialTicks, Hatching, Illustration, Part } from './illustration.tsx'

/** Payments: the plumb bob hangs straight above the owner's strongbox. */
export function PlumbLine() {
  return (
    <Illustration
      title="A plumb line in its frame; the bob points straight at the slot of a strongbox"
      ticksAt={388}
    >
      <Part tone="a" d="M254 60h28l126 324h-34z" />
      <Part tone="b" d="M270 60h12l126 324h-16z" />
      <Hatching top={60} bottom={384} left={[270, 392]} right={[282, 408]} rise={10} />
      <Part tone="a" d="M238 60h28L146 384h-34z" />
      <Part tone="b" d="M118.6 365h34.5l-7 19H112zM367.4 365h34.5l7 19h-34z" />
      <Part
        tone="paper"
        d="M161.4 223.7A186 186 0 0 0 358.6 223.7L335.2 186.4A142 142 0 0 1 184.8 186.4z"
      />
      <path className="il-thin" d={degrees} />
      <path className="il-faint" d="M181 202.8A158 158 0 0 0 339 202.8" />
      <circle cx="192" cy="199.6" r="5" fill="var(--il-a)" />
      <circle cx="328" cy="199.6" r="5" fill="var(--il-a)" />
      <Part tone="b" d="M236 44h48l8 42h-64z" />
      <path className="il-faint" strokeDasharray="3 7" d="m260 66-36 137" />
      <path className="il-needle" d="M260 66v192" />
      <circle cx="260" cy="66" r="9" fill="var(--il-paper)" />
      <circle className="il-dot" cx="260" cy="66" r="3.4" />
      <Part tone="accent" d="m238 284 22 59 22-59z" />
      <Part tone="a" d="M252 258h16v10h-16zM234 268h52v16h-52z" />
      <Part tone="b" d="M272 268h14v16h-14z" />
      <Hatching top={268} bottom={284} left={272} right={286} rise={5} step={6} />
      <Part tone="a" d="M194 356h132v28H194zM187 345h146v11H187z" />
      <Part tone="b" d="M288 356h38v28h-38zM294 345h39v11h-39z" />
      <Hatching top={356} bottom={384} left={288} right={326} step={6} />
      <path className="il-thin" d="M206 356v28m8-28v28" />
      <path strokeWidth="4" d="M243 345h34" />
      <circle className="il-dot" cx="251" cy="366" r="3.6" />
      <path strokeWidth="3" d="M251 367v8" />
    </Illustration>
  )
}

const degrees = dialTicks({
  center: [260, 66],
  radius: 182,
  from: 210,
  to: 150,
  count: 25,
  longEvery: 6,
  lengths: [20, 10],
})
