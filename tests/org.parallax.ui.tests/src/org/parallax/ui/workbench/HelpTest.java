package org.parallax.ui.workbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.help.HelpSystem;
import org.eclipse.help.IHelpResource;
import org.eclipse.help.IToc;
import org.eclipse.help.ITopic;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StyleRange;
import org.eclipse.swt.custom.StyledText;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.ui.IEditorPart;
import org.eclipse.ui.IViewPart;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.forms.widgets.FormText;
import org.eclipse.ui.handlers.IHandlerService;
import org.eclipse.ui.keys.IBindingService;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.help.HelpPages;
import org.parallax.ui.testing.OurViews;
import org.parallax.ui.testing.Workbench;

/** The help book in the platform's help system, and as text where no browser shows it. */
class HelpTest {
  private static final String BOOK = "/org.parallax.help/";
  private static final String HELP_VIEW = "org.eclipse.help.ui.HelpView";
  private static final Pattern LINK = Pattern.compile("\\s(?:href|src)=\"([^\"]+)\"");

  @BeforeEach
  void reset() throws Exception {
    Workbench.reset();
  }

  /** An answer of the help system. */
  private record Answer(int status, String body) {
  }

  /** Fetches without blocking the UI thread, which the server may need. */
  private static Answer fetch(String url) {
    CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(() -> {
      try {
        HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
        connection.setReadTimeout(60_000);
        int status = connection.getResponseCode();
        try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
          return new Answer(status,
              in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
      } catch (IOException e) {
        return new Answer(-1, e.toString());
      }
    });
    Workbench.await(url, answer::isDone);
    return answer.join();
  }

  private static String address(String page) {
    URL url = PlatformUI.getWorkbench().getHelpSystem().resolve(BOOK + page, true);
    assertNotNull(url, page);
    assertEquals("http", url.getProtocol(), url.toString());
    return url.toString().replaceFirst("\\?.*", "");
  }

  @Test
  void everyTopicAndLinkOfTheBookIsServed() {
    List<String> topics = new ArrayList<>();
    for (IToc toc : HelpSystem.getTocs()) {
      if (toc.getHref().startsWith(BOOK)) {
        topics.add(toc.getTopic(null).getHref());
        collect(toc.getTopics(), topics);
      }
    }
    assertTrue(topics.size() > 100, topics.toString());
    Map<String, String> pages = new HashMap<>();
    Deque<String> left = new ArrayDeque<>();
    topics.forEach(topic -> left.add(address("") + topic.substring(BOOK.length())));
    TreeSet<String> faults = new TreeSet<>();
    while (!left.isEmpty()) {
      String link = left.remove();
      String page = link.replaceFirst("#.*", "");
      if (!pages.containsKey(page)) {
        Answer answer = fetch(page);
        pages.put(page, answer.body());
        if (answer.status() != 200 || answer.body().isEmpty() || page.endsWith(".md")) {
          faults.add(answer.status() + " " + page);
        } else if (page.endsWith(".html")) {
          Matcher inside = LINK.matcher(answer.body());
          while (inside.find()) {
            String target = URI.create(page).resolve(inside.group(1)).toString();
            if (target.startsWith(address(""))) {
              left.add(target);
            }
          }
        }
      }
      if (link.contains("#")
          && !pages.get(page).contains("id=\"" + link.substring(link.indexOf('#') + 1) + "\"")) {
        faults.add("no section " + link);
      }
    }
    assertTrue(pages.keySet().stream().filter(page -> page.endsWith(".html")).count() > 20,
        pages.keySet().toString());
    assertTrue(pages.keySet().stream().filter(page -> page.endsWith(".png")).count() > 20,
        pages.keySet().toString());
    assertEquals(new TreeSet<String>(), faults);
  }

  private static void collect(ITopic[] topics, List<String> found) {
    for (ITopic topic : topics) {
      if (topic.getHref() != null) {
        found.add(topic.getHref());
      }
      collect(topic.getSubtopics(), found);
    }
  }

  /** What a browser loads for Help Contents: the page of frames, and all frames in it. */
  @Test
  void helpContentsAreServed() {
    String start = address("").replaceFirst("/help/.*", "/help/index.jsp");
    Deque<String> left = new ArrayDeque<>(List.of(start));
    Map<String, Answer> frames = new HashMap<>();
    while (!left.isEmpty()) {
      String url = left.remove();
      Answer answer = fetch(url);
      assertEquals(200, answer.status(), () -> url + "\n" + answer.body());
      frames.put(url, answer);
      Matcher frame = Pattern.compile("<i?frame\\s[^>]*?src=[\"']([^\"']+)[\"']", Pattern.CASE_INSENSITIVE)
          .matcher(answer.body());
      while (frame.find()) {
        String source = Pattern.compile("&#(\\d+);").matcher(frame.group(1))
            .replaceAll(code -> Character.toString(Integer.parseInt(code.group(1))));
        String target = URI.create(url).resolve(source.replace("&amp;", "&").replace(" ", "%20"))
            .toString();
        if (!frames.containsKey(target) && target.startsWith("http")) {
          left.add(target);
        }
      }
    }
    assertTrue(frames.size() > 2, frames.keySet().toString());
    String base = start.replace("index.jsp", "");
    for (String view : List.of("tocView", "indexView", "bookmarksView", "searchView")) {
      Answer answer = fetch(base + "advanced/" + view + ".jsp");
      assertEquals(200, answer.status(), () -> view + "\n" + answer.body());
    }
    Answer contents = fetch(base + "advanced/tocfragment");
    assertTrue(contents.body().contains("title=\"Parallax\""), contents.body());
  }

  @Test
  void theSearchFindsPages() {
    String base = address("").replaceFirst("/help/.*", "/help/");
    Answer answer = fetch(base + "search?phrase=perturbation");
    assertEquals(200, answer.status(), answer.body());
    assertTrue(answer.body().contains("org.parallax.help/html/perturbation.html"), answer.body());
  }

  @Test
  void f1IsTheKeyOfHelp() throws Exception {
    assertEquals(List.of("org.eclipse.ui.help.dynamicHelp"),
        Arrays.stream(PlatformUI.getWorkbench().getService(IBindingService.class).getBindings())
            .filter(binding -> binding.getTriggerSequence().format().equals("F1")
                && binding.getParameterizedCommand() != null)
            .map(binding -> binding.getParameterizedCommand().getId()).distinct().toList());
  }

  @Test
  void f1ShowsTheSectionOfEachView() throws Exception {
    for (String id : OurViews.ids()) {
      IViewPart view = Workbench.page().showView(id, null, IWorkbenchPage.VIEW_ACTIVATE);
      Workbench.settle();
      view.setFocus();
      Workbench.window().getShell().forceActive();
      Workbench.await("the window to be active",
          () -> Display.getCurrent().getActiveShell() == Workbench.window().getShell());
      Workbench.window().getService(IHandlerService.class)
          .executeCommand("org.eclipse.ui.help.dynamicHelp", null);
      Workbench.handleEvents();
      IViewPart help = Workbench.page().findView(HELP_VIEW);
      assertTrue(help != null && Workbench.page().isPartVisible(help), id);
      String title = view.getTitle().replaceFirst(" \\(.*", "");
      Workbench.await("help of " + title + " instead of " + shown(), () -> shown().contains(title));
      IHelpResource topic =
          HelpSystem.getContext("org.parallax.help." + id.replaceFirst(".*\\.", "")).getRelatedTopics()[0];
      assertEquals(title, topic.getLabel());
      String page = topic.getHref().substring(BOOK.length());
      Answer answer = fetch(address("") + page.replaceFirst("#.*", ""));
      assertTrue(answer.body().contains("id=\"" + page.replaceFirst(".*#", "") + "\""), page);
      Workbench.page().hideView(help);
      Workbench.page().hideView(view);
    }
  }

  /** All texts of the help view that are in sight. */
  private static String shown() {
    StringBuilder all = new StringBuilder();
    for (FormText text : Workbench.find(Workbench.window().getShell(), FormText.class,
        FormText::isVisible)) {
      try {
        Field model = FormText.class.getDeclaredField("model");
        model.setAccessible(true);
        Object content = model.get(text);
        var method = content.getClass().getDeclaredMethod("getAccessibleText");
        method.setAccessible(true);
        all.append(method.invoke(content)).append('\n');
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }
    return all.toString();
  }

  @Test
  void withoutABrowserPagesAreTextWithLinks() {
    HelpPages.showText(Workbench.window(), HelpPages.FIRST);
    StyledText text = text();
    assertTrue(text.getText().startsWith("Parallax"), text.getText());
    follow(text, "The views");
    assertTrue(text.getText().startsWith("The views"), text.getText());
    assertFalse(text.getText().matches("(?s).*(<[a-z]+>|\\]\\().*"), "markup is left");
    assertTrue(pictures(text) > 10, "pictures: " + pictures(text));
    follow(text, "wait states");
    assertTrue(text.getText().startsWith("Wait states"), text.getText());
    Event backspace = new Event();
    backspace.keyCode = SWT.BS;
    text.notifyListeners(SWT.KeyDown, backspace);
    assertTrue(text.getText().startsWith("The views"), text.getText());
  }

  @Test
  void aSectionIsAtTheTopOfTheText() {
    HelpPages.showText(Workbench.window(), "views.html#wait-states");
    StyledText text = text();
    assertIsAtTop("Wait States", text);
    HelpPages.showText(Workbench.window(), "views.html#timeline");
    assertEquals(text, text());
    assertIsAtTop("Timeline", text);
    assertEquals(1, Workbench.page().getEditorReferences().length);
  }

  private static void assertIsAtTop(String heading, StyledText text) {
    int line = text.getLineAtOffset(text.getText().indexOf("\n" + heading + "\n") + 1);
    assertTrue(Math.abs(text.getLinePixel(line)) < 40,
        () -> heading + " is at " + text.getLinePixel(line) + ", " + text.getTopIndex() + " is on top");
  }

  private static StyledText text() {
    IEditorPart editor = Workbench.page().getActiveEditor();
    assertEquals("org.parallax.help.page", editor.getSite().getId());
    Workbench.handleEvents();
    return Workbench.find(Workbench.window().getShell(), StyledText.class, StyledText::isVisible).get(0);
  }

  private static int pictures(StyledText text) {
    int count = 0;
    for (StyleRange range : text.getStyleRanges()) {
      count += range.metrics != null && range.metrics.width > 100 ? 1 : 0;
    }
    return count;
  }

  private static void follow(StyledText text, String link) {
    for (StyleRange range : text.getStyleRanges()) {
      if (range.underline && text.getText(range.start, range.start + range.length - 1).equals(link)) {
        text.setCaretOffset(range.start);
        Event enter = new Event();
        enter.keyCode = SWT.CR;
        text.notifyListeners(SWT.KeyDown, enter);
        Workbench.handleEvents();
        return;
      }
    }
    throw new AssertionError("no link " + link + " in " + text.getText());
  }
}
