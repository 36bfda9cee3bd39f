import { type CSSVariablesResolver, createTheme } from '@mantine/core';

/** Deep water: shade 7 carries white text (6.4:1), shades 3 and 4 are for dark grounds. */
const water = ['#e8f5f9', '#cfe9f1', '#a5d6e5', '#74bfd6', '#4aa9c7', '#2b93b5', '#177d9f', '#0b6685', '#08506a', '#053a4f'] as const;
const deep = ['#dce8ed', '#b9cad3', '#93a9b5', '#6f8693', '#2e4552', '#21353f', '#182a34', '#13232d', '#0c1a23', '#071118'] as const;

export const theme = createTheme({
  primaryColor: 'water',
  primaryShade: 7,
  colors: { water, dark: deep },
  black: '#0d2330',
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '5px', md: '8px', lg: '12px', xl: '18px' },
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  headings: { fontWeight: '650' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  // Plain objects and not `Modal.extend`: that would bring every component named here into the first load.
  components: {
    Portal: { defaultProps: { target: '#overlays' } },
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, centered: true } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    // Below the input, so that inputs beside each other stand in one line whether or not they say more.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    Popover: { defaultProps: { shadow: 'md' } },
    Menu: { defaultProps: { shadow: 'md' } },
    Combobox: { defaultProps: { shadow: 'md' } },
  },
});

/** Both schemes are spelled out: what Mantine derives by itself misses 4.5:1 in places, and `variables` alone would lose. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-dimmed': '#516773',
    '--mantine-color-placeholder': '#5d727d',
    '--mantine-color-default-border': '#c9d6dc',
    '--mantine-color-default-hover': '#eef4f6',
    '--mantine-color-anchor': '#0b6685',
    '--mantine-color-water-light': '#e2f1f6',
    '--mantine-color-water-light-hover': '#d3e9f1',
    '--mantine-color-water-light-color': '#08506a',
    '--mantine-color-disabled-color': '#5d727d',
  },
  dark: {
    '--mantine-color-body': '#13232d',
    '--mantine-color-text': '#dce8ed',
    '--mantine-color-error': '#ff9a8f',
    '--mantine-color-dimmed': '#9bb1bc',
    '--mantine-color-placeholder': '#8ea4af',
    '--mantine-color-default': '#182a34',
    '--mantine-color-default-hover': '#21353f',
    '--mantine-color-default-border': '#375060',
    '--mantine-color-anchor': '#6cc8e2',
    '--mantine-color-water-light': '#12384a',
    '--mantine-color-water-light-hover': '#17465b',
    '--mantine-color-water-light-color': '#a5dcec',
    '--mantine-color-water-outline': '#6cc8e2',
    '--mantine-color-disabled-color': '#8ea4af',
  },
});
