import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

import { floatingPlace } from './floating-place.ts'

// The accent is a library lamp's green, whose shade 9 carries white text at more than 4.5:1.
const lamp: MantineColorsTuple = [
  '#e9f5f1',
  '#d3e9e2',
  '#a6d4c6',
  '#76beaa',
  '#4fac92',
  '#369f82',
  '#26886e',
  '#1a735c',
  '#10614d',
  '#0b4f3f',
]

const sand: MantineColorsTuple = [
  '#fbf9f5',
  '#f3efe8',
  '#e6e0d5',
  '#d3cbbc',
  '#b3a996',
  '#8f8674',
  '#6f6758',
  '#554f43',
  '#37332b',
  '#1f1d18',
]

const dark: MantineColorsTuple = [
  '#ece8df',
  '#cfc9bd',
  '#b5ae9f',
  '#8e8778',
  '#555046',
  '#3a362f',
  '#2b2823',
  '#211f1b',
  '#181613',
  '#100f0d',
]

// Mantine's own, but for shade 7, which carries white text in the dark.
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#ff6b6b',
  '#fa5252',
  '#d9302f',
  '#e03131',
  '#c92a2a',
]

const target = { styles: { root: { minHeight: '2.75rem' } } }
const field = { size: 'md' as const }
const dialogTitle = { title: { fontSize: '1.25rem', fontWeight: 700, lineHeight: 1.3 } }

export const theme = createTheme({
  colors: { lamp, gray: sand, dark, red },
  primaryColor: 'lamp',
  primaryShade: { light: 9, dark: 7 },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif',
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  // Fingers reach 44 px, and phones do not zoom inputs of 16 px.
  components: {
    Button: { defaultProps: { size: 'md' }, ...target },
    ActionIcon: { defaultProps: { size: '2.75rem', variant: 'subtle' } },
    CloseButton: { defaultProps: { size: '2.75rem', 'aria-label': 'Fermer' } },
    TextInput: { defaultProps: field },
    Input: { vars: () => ({ wrapper: { '--input-height': '2.75rem' } }) },
    PasswordInput: {
      vars: () => ({ root: { '--psi-button-size': '2.75rem' } }),
      defaultProps: { ...field, visibilityToggleButtonProps: { 'aria-label': 'Voir le mot de passe' } },
    },
    Textarea: { defaultProps: { ...field, autosize: true, minRows: 2 } },
    NumberInput: { defaultProps: { ...field, decimalSeparator: ',', hideControls: true } },
    ComboboxChevron: { defaultProps: { 'aria-hidden': true } },
    Select: { defaultProps: { ...field, nothingFoundMessage: 'Aucun résultat' } },
    MultiSelect: { defaultProps: { ...field, nothingFoundMessage: 'Aucun résultat' } },
    TagsInput: { defaultProps: field },
    Autocomplete: { defaultProps: field },
    Checkbox: { defaultProps: { size: 'md' } },
    Switch: { defaultProps: { size: 'md', withThumbIndicator: false } },
    Modal: {
      defaultProps: {
        // Its header would be a second banner of the page.
        attributes: { header: { role: 'presentation' } },
        centered: true,
        radius: 'lg',
        transitionProps: { duration: 120 },
      },
      styles: dialogTitle,
    },
    Drawer: {
      defaultProps: {
        attributes: { header: { role: 'presentation' } },
        transitionProps: { duration: 120 },
      },
      styles: dialogTitle,
    },
    Menu: { defaultProps: { portalProps: { target: floatingPlace }, withInitialFocusPlaceholder: false } },
  },
})

/** Every pair of text and ground reaches 4.5:1 in both schemes; the edge of a field 3:1 from what is around it. */
export const themeVariables: CSSVariablesResolver = () => ({
  variables: { '--page-gap': 'clamp(0.75rem, 2vw, 1.5rem)' },
  light: {
    '--mantine-color-body': '#fffdfa',
    '--mantine-color-text': '#26231d',
    '--mantine-color-dimmed': '#625b4d',
    '--mantine-color-placeholder': '#736b5c',
    '--mantine-color-error': '#a81e1e',
    '--mantine-color-default': '#fffdfa',
    '--mantine-color-default-hover': '#f3efe8',
    '--mantine-color-default-color': '#26231d',
    '--mantine-color-default-border': '#d3cbbc',
    '--mantine-color-disabled-color': '#6f6758',
    '--mantine-color-anchor': '#0b4f3f',
    '--ground': '#f5f1ea',
    '--ground-raised': '#fffdfa',
    '--ground-chosen': '#dfeee8',
    '--line': '#e3dccf',
    '--edge': '#8f8674',
    '--good-ink': '#0b4f3f',
    '--good-ground': '#dcefe7',
    '--warn-ink': '#6b4300',
    '--warn-ground': '#fbe9c6',
    '--bad-ink': '#8c1616',
    '--bad-ground': '#fbe0dc',
    '--wait-ink': '#274a78',
    '--wait-ground': '#e0eaf7',
    '--quiet-ink': '#554f43',
    '--quiet-ground': '#ebe6dc',
  },
  dark: {
    '--mantine-color-body': '#211f1b',
    '--mantine-color-text': '#ece8df',
    '--mantine-color-dimmed': '#b5ae9f',
    '--mantine-color-placeholder': '#a59d8d',
    '--mantine-color-error': '#ff9d91',
    '--mantine-color-default-border': '#4a453b',
    '--mantine-color-lamp-light': '#1f3b32',
    '--mantine-color-lamp-light-hover': '#29493f',
    '--mantine-color-lamp-light-color': '#a5e0cb',
    '--mantine-color-anchor': '#8fd3bd',
    '--ground': '#181613',
    '--ground-raised': '#211f1b',
    '--ground-chosen': '#1f3b32',
    '--line': '#37332b',
    '--edge': '#756e61',
    '--good-ink': '#a5e0cb',
    '--good-ground': '#153a2f',
    '--warn-ink': '#ffd88a',
    '--warn-ground': '#41300b',
    '--bad-ink': '#ffb4aa',
    '--bad-ground': '#4a1a16',
    '--wait-ink': '#b3d0f7',
    '--wait-ground': '#1d3250',
    '--quiet-ink': '#cfc9bd',
    '--quiet-ground': '#33302a',
  },
})
