import type { Brand, BrandColors } from '#contracts/brand/brand'

/*
 * Colors of a mail. Each element has its light color as an inline style, because some mail programs
 * ignore style elements, and a class by which the style element changes the color in the dark.
 */

const texts = [
  'ink',
  'ink2',
  'link',
  'onDeep',
  'onDeep2',
  'positive',
  'negative',
  'surface',
] as const
const grounds = [
  'ground',
  'surface',
  'surface2',
  'deep',
  'ink',
  'accent',
  'positiveFill',
  'negativeFill',
] as const
const edges = ['ink', 'rule'] as const

export interface Paint {
  readonly text?: (typeof texts)[number]
  readonly ground?: (typeof grounds)[number]
  /** The color of borders. Their width and style are the element's own. */
  readonly edge?: (typeof edges)[number]
}

export interface Painted {
  readonly className: string
  readonly style: Readonly<Record<string, string>>
}

/** The classes and the inline styles of the light colors. */
export function paint({ light }: Pick<Brand, 'light'>, { text, ground, edge }: Paint): Painted {
  return {
    className: [text && `t-${text}`, ground && `g-${ground}`, edge && `e-${edge}`]
      .filter(Boolean)
      .join(' '),
    style: {
      ...(text && { color: light[text] }),
      ...(ground && { backgroundColor: light[ground] }),
      ...(edge && { borderColor: light[edge] }),
    },
  }
}

/**
 * The dark colors: by media query, and by the attributes that Outlook's apps and Outlook.com set
 * when they darken a mail. An inline style has priority over a style element, hence `!important`.
 */
export function darkStyle({ dark }: Pick<Brand, 'dark'>): string {
  return [
    `@media (prefers-color-scheme:dark){${rules(dark, '', '')}}`,
    rules(dark, '[data-ogsc] ', '[data-ogsb] '),
  ].join('')
}

function rules(dark: BrandColors, ofTexts: string, ofGrounds: string): string {
  return [
    ...texts.map((name) => `${ofTexts}.t-${name}{color:${dark[name]}!important}`),
    ...grounds.map((name) => `${ofGrounds}.g-${name}{background-color:${dark[name]}!important}`),
    ...edges.map((name) => `${ofGrounds}.e-${name}{border-color:${dark[name]}!important}`),
  ].join('')
}
