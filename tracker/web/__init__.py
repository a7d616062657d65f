"""The web: one Flask app, made by `app.create_app`. Pages are read with GET, and only a POST records anything."""
