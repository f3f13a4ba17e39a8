// Calls every operation of the API with a client that openapi-generator has generated for Java.
// Prints the sent requests and their responses as JSON.
// Arguments: the address of Quarry, the key, a file to upload, the names of the API classes separated by commas.
// Standard input: the requests, as a JSON array.
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okio.Buffer;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;

public final class CallOperations {
  private static final Pattern IN_PATH = Pattern.compile("\\{(\\w+)\\}");
  private static final long MAX_TEXT_BYTES = 1 << 24;

  public static void main(String[] arguments) throws Exception {
    String address = arguments[0];
    String key = arguments[1];
    File file = new File(arguments[2]);
    List<Object> apis = createApis(arguments[3]);
    JsonArray requests =
        JsonParser.parseReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).getAsJsonArray();
    JsonObject found = new JsonObject();
    for (JsonElement element : requests) {
      JsonObject request = element.getAsJsonObject();
      found.add(request.get("id").getAsString(), call(apis, request, address, key, file));
    }
    new PrintStream(System.out, true, "UTF-8").println(found);
  }

  /** Creates an instance of each API class. The names are separated by commas. */
  private static List<Object> createApis(String names) throws Exception {
    List<Object> apis = new ArrayList<>();
    for (String name : names.split(",")) {
      apis.add(Class.forName("org.openapitools.client.api." + name).getConstructor().newInstance());
    }
    return apis;
  }

  private static JsonObject call(List<Object> apis, JsonObject request, String address, String key, File file)
      throws Exception {
    JsonObject sent = new JsonObject();
    boolean hasBody = request.has("schema");
    Interceptor recorder = chain -> sendAndRecord(chain, sent, hasBody);
    ApiClient client = new ApiClient(new OkHttpClient.Builder().addInterceptor(recorder).build());
    client.setBearerToken(key);
    String id = request.get("id").getAsString();
    for (Object api : apis) {
      for (Method method : api.getClass().getMethods()) {
        if (!method.getName().equals(id)) continue;
        api.getClass().getMethod("setApiClient", ApiClient.class).invoke(api, client);
        String base = address + request.get("server").getAsString();
        api.getClass().getMethod("setCustomBaseUrl", String.class).invoke(api, base);
        try {
          method.invoke(api, listArguments(method, request, file));
        } catch (InvocationTargetException error) {
          if (!(error.getCause() instanceof ApiException)) throw error;
        }
        return sent;
      }
    }
    throw new IllegalStateException("expected a method " + id + " of an API, found none");
  }

  /** Returns the arguments of a method in the order of its parameters. Parameters without a value are null. */
  private static Object[] listArguments(Method method, JsonObject request, File file) {
    List<Object> values = new ArrayList<>();
    JsonObject parameters = request.getAsJsonObject("parameters");
    Matcher matcher = IN_PATH.matcher(request.get("path").getAsString());
    while (matcher.find()) values.add(parameters.get(matcher.group(1)).getAsString());
    if (parameters.has("with")) values.add(parameters.get("with").getAsString());
    if (request.has("schema")) {
      Class<?> type = method.getParameterTypes()[values.size()];
      values.add(JSON.deserialize(request.get("body").toString(), type));
    }
    if (request.get("isForm").getAsBoolean()) values.add(file);
    while (values.size() < method.getParameterCount()) values.add(null);
    return values.toArray();
  }

  /** Sends the request of a client, and records it and its response in `sent`. */
  private static Response sendAndRecord(Interceptor.Chain chain, JsonObject sent, boolean hasBody) throws IOException {
    Request request = chain.request();
    sent.addProperty("method", request.method());
    sent.addProperty("path", request.url().encodedPath());
    sent.addProperty("query", request.url().query() == null ? "" : request.url().query());
    if (hasBody) {
      Buffer body = new Buffer();
      request.body().writeTo(body);
      sent.add("body", JsonParser.parseString(body.readUtf8()));
    }
    Response response = chain.proceed(request);
    sent.addProperty("status", response.code());
    sent.addProperty("text", response.peekBody(MAX_TEXT_BYTES).string());
    return response;
  }
}
