import { StyleProvider } from '@ant-design/cssinjs'
import { ConfigProvider } from 'antd'
import type { ReactElement, ReactNode } from 'react'
import { lightTheme } from './theme.ts'
import 'virtual:antd.css'
import './antd-overrides.css'

/**
 * antd with the product's look. Its styles are static (`static-css.tsx`), and the theme follows
 * `data-theme` by CSS variables, so the theme given here serves only what antd reads in script.
 */
export function AntdProvider({ children }: { children: ReactNode }): ReactElement {
  return (
    <StyleProvider container={outsideTheDocument}>
      <ConfigProvider theme={theme} wave={{ disabled: true }} getPopupContainer={insideMain}>
        {children}
      </ConfigProvider>
    </StyleProvider>
  )
}

// What pops up belongs to the page's main part, for those who move by landmarks.
const insideMain = () => document.getElementById('main') ?? document.body

const theme = { ...lightTheme, zeroRuntime: true }

// zeroRuntime still writes the root variables into a style element of its own. They are in the
// static sheet already, and the page's policy refuses inline styles; kept out of the document, the
// element does nothing.
const outsideTheDocument = document.createElement('div')
