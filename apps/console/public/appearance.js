// Sets the theme and the language before the first paint, so that the page does not flash in another theme.
(function () {
  var read = function (name) {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  var theme = read('quarry.theme');
  var language = read('quarry.language');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  if (language === 'en' || language === 'de') document.documentElement.lang = language;
})();
