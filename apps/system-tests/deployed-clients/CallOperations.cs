// Calls every operation of the API with a client that openapi-generator has generated for C#.
// Prints the sent requests and their responses as JSON.
// Arguments: the address of Quarry, the key, a file to upload. Standard input: the requests, as a JSON array.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Reflection;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using Org.OpenAPITools.Client;

public static class CallOperations
{
    public static void Main(string[] arguments)
    {
        var input = new StreamReader(Console.OpenStandardInput(), Encoding.UTF8).ReadToEnd();
        // Json.NET would otherwise convert texts that look like dates.
        var settings = new JsonSerializerSettings { DateParseHandling = DateParseHandling.None };
        var requests = JsonConvert.DeserializeObject<JArray>(input, settings);
        var found = new JObject();
        foreach (var request in requests.Cast<JObject>())
        {
            found[(string)request["id"]] = Call(request, arguments[0], arguments[1], arguments[2]);
        }
        var output = new UTF8Encoding(false).GetBytes(found.ToString(Formatting.None));
        Console.OpenStandardOutput().Write(output, 0, output.Length);
    }

    private static JObject Call(JObject request, string address, string key, string file)
    {
        var method = FindMethod((string)request["id"]);
        var recorder = new Recorder(request["schema"] != null);
        var configuration = new Configuration { BasePath = address + (string)request["server"], AccessToken = key };
        var arguments = new object[] { new HttpClient(recorder), configuration, null };
        var api = Activator.CreateInstance(method.DeclaringType, arguments);
        try
        {
            method.Invoke(api, ListArguments(method, request, file));
        }
        catch (TargetInvocationException error) when (error.InnerException is ApiException)
        {
        }
        return recorder.Sent;
    }

    private static MethodInfo FindMethod(string id)
    {
        var name = char.ToUpperInvariant(id[0]) + id.Substring(1);
        return typeof(ApiClient).Assembly.GetTypes()
            .Where(type => type.IsClass && type.Namespace == "Org.OpenAPITools.Api")
            .SelectMany(type => type.GetMethods(BindingFlags.Instance | BindingFlags.Public | BindingFlags.DeclaredOnly))
            .Single(method => method.Name == name);
    }

    /// <summary>Returns the arguments of a method. Parameters without a value get their defaults.</summary>
    private static object[] ListArguments(MethodInfo method, JObject request, string file)
    {
        var values = new List<object>();
        foreach (Match match in Regex.Matches((string)request["path"], @"\{(\w+)\}"))
        {
            values.Add(Convert(request["parameters"][match.Groups[1].Value], method.GetParameters()[values.Count]));
        }
        if (request["parameters"]["with"] != null) values.Add((string)request["parameters"]["with"]);
        if (request["schema"] != null)
        {
            var type = method.GetParameters()[values.Count].ParameterType;
            var settings = new ApiClient().SerializerSettings;
            values.Add(JsonConvert.DeserializeObject(request["body"].ToString(), type, settings));
        }
        if ((bool)request["isForm"]) values.Add(new FileParameter(File.OpenRead(file)));
        while (values.Count < method.GetParameters().Length) values.Add(Type.Missing);
        return values.ToArray();
    }

    private static object Convert(JToken value, ParameterInfo parameter)
    {
        return value.ToObject(parameter.ParameterType);
    }

    /// <summary>Sends the request of a client, and records it and its response in <c>Sent</c>.</summary>
    private sealed class Recorder : DelegatingHandler
    {
        private readonly bool hasBody;

        public Recorder(bool hasBody) : base(new HttpClientHandler())
        {
            this.hasBody = hasBody;
        }

        public JObject Sent { get; } = new JObject();

        protected override async Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request,
            CancellationToken cancellation
        )
        {
            Sent["method"] = request.Method.Method;
            Sent["path"] = request.RequestUri.AbsolutePath;
            Sent["query"] = request.RequestUri.Query.TrimStart('?');
            if (hasBody)
            {
                var settings = new JsonSerializerSettings { DateParseHandling = DateParseHandling.None };
                var text = await request.Content.ReadAsStringAsync();
                Sent["body"] = JsonConvert.DeserializeObject<JToken>(text, settings);
            }
            var response = await base.SendAsync(request, cancellation);
            Sent["status"] = (int)response.StatusCode;
            Sent["text"] = await response.Content.ReadAsStringAsync();
            return response;
        }
    }
}
