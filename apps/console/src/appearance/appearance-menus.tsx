import type { ReactNode } from 'react';
import { Button } from '../components/button.js';
import { LanguageIcon, MoonIcon, ScreenIcon, SunIcon, type Icon } from '../components/icons.js';
import { joinClasses } from '../components/join-classes.js';
import { Menu } from '../components/menu.js';
import { useLanguage, useMessages } from '../language/language-context.js';
import { appearanceMessages } from './messages.js';
import { THEMES, useTheme, type Theme } from './theme.js';

const THEME_ICONS: Readonly<Record<Theme, Icon>> = { system: ScreenIcon, light: SunIcon, dark: MoonIcon };

/** Shows the menus that choose the theme and the language. */
export function AppearanceMenus(): ReactNode {
  const messages = useMessages(appearanceMessages);
  const { language, setLanguage } = useLanguage();
  const [theme, setTheme] = useTheme();
  const themeNames = { system: messages.themeSystem, light: messages.themeLight, dark: messages.themeDark };
  const languageNames = { en: messages.english, de: messages.german };
  return (
    <>
      <Menu
        groups={[
          {
            title: messages.theme,
            actions: THEMES.map((name) => ({
              label: themeNames[name],
              icon: THEME_ICONS[name],
              isChosen: name === theme,
              onSelect: () => setTheme(name),
            })),
          },
        ]}
        side="top"
        trigger={<MenuButton icon={THEME_ICONS[theme]} label={messages.switchTheme(themeNames[theme])} />}
      />
      <Menu
        groups={[
          {
            title: messages.language,
            actions: (['en', 'de'] as const).map((name) => ({
              label: languageNames[name],
              isChosen: name === language,
              onSelect: () => setLanguage(name),
            })),
          },
        ]}
        side="top"
        trigger={<MenuButton icon={LanguageIcon} label={`${messages.language}: ${languageNames[language]}`} />}
      />
    </>
  );
}

interface MenuButtonProps extends Record<string, unknown> {
  readonly icon: Icon;
  readonly label: string;
  readonly className?: string;
}

function MenuButton({ icon: ButtonIcon, label, className, ...attributes }: MenuButtonProps): ReactNode {
  return (
    <Button
      {...attributes}
      aria-label={label}
      className={joinClasses('icon-button', className)}
      kind="quiet"
      title={label}
    >
      <ButtonIcon />
    </Button>
  );
}
