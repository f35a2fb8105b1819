# SPDX-License-Identifier: GPL-3.0-or-later
# The manual: one book of the guides, the pages of man/ and the requirements, made by `make html', `make info' and `make pdf'.
# Its text stands elsewhere, once: doc/manual only makes Texinfo of it. A guide in doc/ has to be in this list
# (tests/script/manual.sh looks).
MANUAL_GUIDES = README doc/tour.txt doc/linux.txt doc/lessons.txt doc/panel.txt doc/views.txt doc/tui.txt doc/first-hour.txt doc/debugging.txt doc/control.txt doc/ri-by-example.txt \
	doc/managed-runtime.txt doc/exceptions-by-example.txt doc/profiles-by-example.txt doc/speculation.txt SECURITY HACKING
MANUAL_MADE_PAGES = man/zri.1 man/zri-console.1 man/zri-instructions.7 man/zri-interruptions.7 man/zri-facilities.7
MANUAL_PAGES = man/zri-ri.1 man/zri-et.1 man/zri-et-format.5 man/zri-prof.1 man/zri-json.5 man/zri-test.5
MANUAL_LESSONS = $(dist_lessons_DATA)
MANUAL_PICTURES = doc/manual/picture.sh doc/manual/pictures.zc doc/manual/pictures-graph.zc doc/manual/pictures-pipeline.zc doc/manual/pictures-trace.zc
MANUAL_MAKER = doc/manual/lesson.py $(MANUAL_PICTURES) doc/manual/manual.py doc/manual/guide.py doc/manual/page.py doc/manual/requirements.py doc/manual/words.py
MANUAL_LOG = tests/script/manual.sh.log
EXTRA_DIST += $(MANUAL_MAKER) doc/manual/manual.css
CLEANFILES += doc/zri.texi doc/zri.info doc/zri.pdf
clean-local:
	rm -rf doc/zri.html doc/zri.html.tmp doc/pictures

if HAVE_MANUAL
# Pictures of the views, made by zri; the file says that they are there.
doc/pictures/made: zri$(EXEEXT) $(MANUAL_PICTURES)
	$(AM_V_GEN)sh $(srcdir)/doc/manual/picture.sh $(abs_builddir)/zri$(EXEEXT) doc/pictures && touch $@
doc/zri.texi: doc/pictures/made $(MANUAL_LESSONS) $(MANUAL_GUIDES) $(MANUAL_MADE_PAGES) $(MANUAL_PAGES) $(MANUAL_MAKER) $(MATRICES) tests/matrix.sh \
		$(ZT_TESTS) $(SCRIPT_TESTS) $(UNIT_TESTS:=.c) Makefile
	$(AM_V_GEN)$(MKDIR_P) doc && $(PYTHON3) -B $(srcdir)/doc/manual/manual.py $(srcdir) $(VERSION) --pictures=doc/pictures \
	`for f in $(MANUAL_GUIDES) $(MANUAL_LESSONS); do echo $(srcdir)/$$f; done` $(MANUAL_MADE_PAGES) \
	`for f in $(MANUAL_PAGES) $(MATRICES); do echo $(srcdir)/$$f; done` > $@.tmp && mv $@.tmp $@
doc/zri.html/index.html: doc/zri.texi $(srcdir)/doc/manual/manual.css
	$(AM_V_GEN)rm -rf doc/zri.html doc/zri.html.tmp && $(TEXI2ANY) --html --split=chapter -c NODE_FILES=0 -I doc \
	--css-include=$(srcdir)/doc/manual/manual.css -o doc/zri.html.tmp doc/zri.texi && $(MKDIR_P) doc/zri.html.tmp/pictures && \
	for f in doc/pictures/*.png; do test ! -f $$f || cp $$f doc/zri.html.tmp/pictures; done && mv doc/zri.html.tmp doc/zri.html
doc/zri.info: doc/zri.texi
	$(AM_V_GEN)$(TEXI2ANY) --no-split -I doc -o $@ doc/zri.texi
# (By a variable: automake leaves out its own rule for a log that is named here.)
$(MANUAL_LOG): doc/zri.html/index.html doc/zri.info
html-local: doc/zri.html/index.html
info-local: doc/zri.info
pdf-local: doc/zri.texi
	@if command -v pdftex >/dev/null && command -v texi2pdf >/dev/null; then \
	echo "  GEN      doc/zri.pdf"; texi2pdf -I doc --quiet --clean --output=doc/zri.pdf doc/zri.texi; \
	else echo "no doc/zri.pdf: it needs pdftex and texi2pdf (Debian: texlive and texinfo); make html and make info have the same"; fi
install-html-local: html-local
	$(MKDIR_P) $(DESTDIR)$(htmldir)/zri.html && $(INSTALL_DATA) doc/zri.html/*.html $(DESTDIR)$(htmldir)/zri.html
	$(MKDIR_P) $(DESTDIR)$(htmldir)/zri.html/pictures && for f in doc/zri.html/pictures/*.png; do \
	test ! -f $$f || $(INSTALL_DATA) $$f $(DESTDIR)$(htmldir)/zri.html/pictures; done
install-info-local: info-local
	$(MKDIR_P) $(DESTDIR)$(infodir) && $(INSTALL_DATA) doc/zri.info $(DESTDIR)$(infodir)
else
html-local info-local pdf-local install-html-local install-info-local:
	@echo "no manual: it needs makeinfo and python3 (Debian: texinfo and python3); install them and configure again"
endif
uninstall-local:
	rm -rf $(DESTDIR)$(htmldir)/zri.html
	rm -f $(DESTDIR)$(infodir)/zri.info
