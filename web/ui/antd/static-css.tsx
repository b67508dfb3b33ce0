import { extractStyle } from '@ant-design/static-style-extract'
import { StyledComponents } from './styled-components.tsx'
import { darkTheme, lightTheme } from './theme.ts'

interface Rule {
  readonly selector: string
  readonly body: string
}

/**
 * antd's style sheet for both themes, generated at build time. It has the rules once, the light
 * variables, and under `[data-theme]` the variables that differ in the dark theme, which print
 * does not use. The browser computes no styles, so the page's policy can refuse every inline style.
 * @throws Error if a rule itself depends on the theme, because the sheet cannot express this
 */
export function antdStaticCss(): string {
  const light = extract(lightTheme)
  const dark = topLevelRules(extract(darkTheme))
  const changed = topLevelRules(light).flatMap((rule, index) => darkVariables(rule, dark[index]))
  return [
    light,
    '@media screen{',
    ...changed.map(({ selector, body }) => `[data-theme=dark] ${selector}{${body}}`),
    '}',
  ].join('\n')
}

function extract(theme: typeof lightTheme): string {
  const css = extractStyle({ customTheme: () => <StyledComponents theme={theme} /> })
  return css.slice(0, css.indexOf('.data-ant-cssinjs-cache-path'))
}

/** Splits at depth zero; an at-rule (keyframes) is one entry. */
function topLevelRules(css: string): Rule[] {
  const rules: Rule[] = []
  let depth = 0
  let start = 0
  let open = 0
  for (let at = 0; at < css.length; at += 1) {
    if (css[at] === '{' && depth++ === 0) open = at
    if (css[at] === '}' && --depth === 0) {
      rules.push({ selector: css.slice(start, open), body: css.slice(open + 1, at) })
      start = at + 1
    }
  }
  return rules
}

function darkVariables(light: Rule, dark: Rule | undefined): Rule[] {
  if (dark?.selector !== light.selector)
    throw new Error(`antd's dark styles have no counterpart of '${light.selector}'.`)
  if (dark.body === light.body) return []
  const known = new Set(declarations(light.body))
  const body = declarations(dark.body).filter((declaration) => !known.has(declaration))
  const fixed = body.find((declaration) => !declaration.startsWith('--'))
  if (fixed)
    throw new Error(
      `antd's rule '${light.selector}' differs in the dark by '${fixed}', which is no variable.`,
    )
  return [{ selector: light.selector, body: body.join(';') }]
}

const declarations = (body: string) => body.split(';').filter(Boolean)
